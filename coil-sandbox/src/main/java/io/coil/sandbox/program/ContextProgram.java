package io.coil.sandbox.program;

import io.coil.sandbox.cluster.Program;

import org.springframework.context.ConfigurableApplicationContext;

import java.util.function.BooleanSupplier;

/** A Spring Boot application that runs. */
final class ContextProgram implements Program {
    private final ConfigurableApplicationContext context;
    private final BooleanSupplier works;
    private final Runnable first;
    private final Runnable afterwards;

    /**
     * @param works whether it is ready to do its work
     * @param first run before it is told to end
     * @param afterwards run once it has ended
     */
    ContextProgram(
            ConfigurableApplicationContext context,
            BooleanSupplier works,
            Runnable first,
            Runnable afterwards) {
        this.context = context;
        this.works = works;
        this.first = first;
        this.afterwards = afterwards;
    }

    @Override
    public boolean ready() {
        return context.isActive() && works.getAsBoolean();
    }

    @Override
    public boolean alive() {
        return context.isActive();
    }

    @Override
    public void stop() {
        first.run();
        context.close();
        afterwards.run();
    }
}
