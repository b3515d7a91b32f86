package io.coil.bench.storm;

import io.coil.kubernetes.time.Timeline;

import java.io.PrintStream;
import java.time.Duration;
import java.util.function.IntSupplier;

/** Says every two seconds how far something is. */
final class Progress implements AutoCloseable {
    private static final Duration EVERY = Duration.ofSeconds(2);

    private final Timeline.Running task;

    private Progress(Timeline.Running task) {
        this.task = task;
    }

    static Progress of(PrintStream out, Timeline timeline, String what, int all, IntSupplier done) {
        return new Progress(
                timeline.start(
                        "progress",
                        () -> {
                            while (true) {
                                timeline.sleep(EVERY);
                                out.printf("    %s: %d of %d%n", what, done.getAsInt(), all);
                            }
                        }));
    }

    @Override
    public void close() {
        task.stop();
    }
}
