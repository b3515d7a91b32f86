package io.coil.simulation.trace;

import io.coil.simulation.check.Violation;
import io.coil.simulation.directed.Stage;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Every schedule of {@link MistakeTraces}, by its mutant's name; called across loaders. */
public final class Mistakes {
    private static final Map<String, Consumer<Stage>> ALL = new LinkedHashMap<>();

    static {
        ALL.put("x01-last-writer-wins", MistakeTraces::lastWriterWins);
        ALL.put("x02-deleted-on-time-out", MistakeTraces::slowGrants);
        ALL.put("x02b-as-coil-v2", MistakeTraces::blockAfterTimeOut);
        ALL.put("x03-no-live-read", MistakeTraces::watchBehind);
        ALL.put("x04-adopted-unseen", MistakeTraces::poolGone);
        ALL.put("x06-one-look", MistakeTraces::linksBehind);
        ALL.put("x09-ledger-cached", MistakeTraces::overlappingPools);
        ALL.put("x11-stray-eager-asked-only", MistakeTraces::answeredUnseen);
    }

    private Mistakes() {}

    static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /** Plays it, and lets everything come to its quiet end; empty if nothing was violated. */
    public static String play(String name, long seed) {
        Consumer<Stage> schedule = Objects.requireNonNull(ALL.get(name), name);
        AtomicReference<String> verdict = new AtomicReference<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread =
                Thread.ofVirtual()
                        .name("stage")
                        .start(
                                () -> {
                                    try (Stage stage = new Stage(seed)) {
                                        verdict.set(played(stage, schedule));
                                    } catch (RuntimeException | Error e) {
                                        failure.set(e);
                                    }
                                });
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (failure.get() != null) {
            throw new IllegalStateException("schedule " + name, failure.get());
        }
        return Objects.requireNonNull(verdict.get());
    }

    /** What was violated; what never comes, where a schedule waits for it, is a verdict too. */
    private static String played(Stage stage, Consumer<Stage> schedule) {
        try {
            schedule.accept(stage);
            stage.settle();
        } catch (AssertionError e) {
            return String.valueOf(e.getMessage());
        }
        Violation found = stage.violation();
        return found == null ? "" : found.toString();
    }
}
