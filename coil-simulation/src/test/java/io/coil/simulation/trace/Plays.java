package io.coil.simulation.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Every schedule, by the name of the run of the model that found it; called across loaders. */
public final class Plays {
    private static final Map<String, Consumer<Stage>> ALL = new LinkedHashMap<>();

    static {
        ALL.put("h01-orphan-by-uid", NodeTraces::orphanByUid);
        ALL.put("h02-orphan-race", NodeTraces::orphanRace);
        ALL.put("h03-adopt-watch", BlockTraces::adoptWatch);
        ALL.put("h04-start-cached", BlockTraces::startCached);
        ALL.put("h05-gone-cached", BlockTraces::goneCached);
        ALL.put("h06-being-deleted", BlockTraces::beingDeleted);
        ALL.put("h07-finalizer-name", BlockTraces::finalizerName);
        ALL.put("h08-pool-gone", PoolTraces::poolGone);
        ALL.put("h09-pool-cached", PoolTraces::poolCached);
        ALL.put("h09b-pool-by-name", PoolTraces::poolByName);
        ALL.put("h10-return-retry", BlockTraces::returnRetry);
        ALL.put("h11-spare-pool", PoolTraces::sparePool);
        ALL.put("h12-failed-stays", RequestTraces::failedStays);
        ALL.put("h12b-complete-stays", RequestTraces::completeStays);
        ALL.put("h13-full-by-itself", RequestTraces::fullByItself);
        ALL.put("h13b-chosen-anew", RequestTraces::chosenAnew);
        ALL.put("h14-index-taken", RequestTraces::indexTaken);
        ALL.put("h15-no-linger", RequestTraces::noLinger);
        ALL.put("h16-node-uid", RequestTraces::nodeUid);
        ALL.put("h17-two-agents", BlockTraces::twoAgents);
        ALL.put("h18-check-fails", RequestTraces::checkFails);
        ALL.put("h19-slow-collector", NodeTraces::slowCollector);
        ALL.put("h20-all-loose", BlockTraces::goneCached);
    }

    private Plays() {}

    static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /** Plays it, and lets everything come to its quiet end; empty if nothing was violated. */
    public static String play(String name, long seed) {
        return played(name, seed).getFirst();
    }

    /** The same; the verdict, and then the trace. */
    static List<String> played(String name, long seed) {
        Consumer<Stage> schedule = Objects.requireNonNull(ALL.get(name), name);
        AtomicReference<List<String>> outcome = new AtomicReference<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread =
                Thread.ofVirtual()
                        .name("stage")
                        .start(
                                () -> {
                                    try (Stage stage = new Stage(seed)) {
                                        schedule.accept(stage);
                                        stage.end();
                                        List<String> lines = new ArrayList<>(stage.trace());
                                        lines.addFirst(stage.verdict());
                                        outcome.set(lines);
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
        return Objects.requireNonNull(outcome.get());
    }
}
