package io.coil.simulation.world;

import io.coil.controller.Controller;
import io.coil.simulation.schedule.Actor;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** The controllers, each a process that stands for the lease. */
final class Controllers {
    private final Ground ground;
    private final Map<String, Program<Controller>> byName = new LinkedHashMap<>();

    Controllers(Ground ground) {
        this.ground = ground;
    }

    void begin(String name) {
        byName.computeIfAbsent(name, n -> new Program<>(ground, n, new ControllerCode())).begin();
    }

    Collection<Program<Controller>> all() {
        return byName.values();
    }

    private final class ControllerCode implements Program.Code<Controller> {
        @Override
        public Controller make(Actor life, int number) {
            Controller made =
                    new Controller(
                            ground.api(life),
                            life.time(),
                            ground.timing().controller(life.name() + "_" + number),
                            new SimpleMeterRegistry());
            ground.answersReviews(life, made);
            return made;
        }

        @Override
        public void start(Controller made) {
            made.start();
        }

        @Override
        public void stop(Controller made) throws InterruptedException {
            made.stop();
        }
    }
}
