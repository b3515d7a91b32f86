package io.coil.bench.api;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** A command that measures against an API server: one in this process, or any by kubeconfig. */
public abstract class ServerCommand implements Callable<Integer> {
    @Spec private @Nullable CommandSpec spec;

    @Option(names = "--kubeconfig", description = "file that says where the API server is")
    private @Nullable Path kubeconfig;

    /** Whether what was measured is as it should be. */
    public interface Measuring {
        boolean run(Target target, PrintStream out) throws InterruptedException;
    }

    /** What the arguments ask for; refused by {@link #require}. */
    protected abstract Measuring asked();

    /** Ends the command with that sentence unless it holds. */
    protected final void require(boolean holds, String what) {
        if (!holds) {
            CommandSpec known = spec;
            throw new CommandLine.ParameterException(
                    known == null ? new CommandLine(this) : known.commandLine(), what);
        }
    }

    /** The same for an option that is a number. */
    protected final void requireWithin(String option, int value, int least, int most) {
        require(value >= least && value <= most, "%s: %d to %d".formatted(option, least, most));
    }

    @Override
    public final Integer call() throws IOException, InterruptedException {
        Path file = kubeconfig;
        require(file == null || Files.isReadable(file), "--kubeconfig: cannot read " + file);
        Measuring asked = asked();
        try (var _ = Interruption.ofThisThread();
                Target target = Target.open(file)) {
            return asked.run(target, System.out) ? 0 : 1;
        }
    }
}
