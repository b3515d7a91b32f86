package io.coil.apiserver.fault;

import io.coil.apiserver.fault.Scope.Call;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** The faults that are on. Which call is hit is decided by a seeded generator, in call order. */
public final class Faults {
    private static final class Active {
        final FaultRule rule;
        int hits;

        Active(FaultRule rule) {
            this.rule = rule;
        }
    }

    /**
     * A rule and how often it has struck.
     *
     * @param hits running watches that are held back do not count
     */
    public record Shown(FaultRule rule, int hits) {}

    private final RandomGenerator random;
    // guarded by this, these three
    private final List<Active> active = new ArrayList<>();
    private final Set<Consumer<FaultRule>> watches = new LinkedHashSet<>();
    private int lastId;

    /** Written under the lock; spares calls the lock when there are no faults, as usual. */
    private volatile boolean any;

    public Faults(RandomGenerator random) {
        this.random = random;
    }

    /** A rule of the same id takes the place of the old one. */
    public void add(FaultRule rule) {
        List<Consumer<FaultRule>> running;
        synchronized (this) {
            active.removeIf(other -> other.rule.id().equals(rule.id()));
            active.add(new Active(rule));
            any = true;
            running = List.copyOf(watches);
        }
        running.forEach(watch -> watch.accept(rule));
    }

    public FaultRule add(Scope scope, Effect effect) {
        FaultRule rule = FaultRule.of(nextId(), scope, effect);
        add(rule);
        return rule;
    }

    public synchronized String nextId() {
        return "fault-" + ++lastId;
    }

    /** False if there was none of that id. */
    public synchronized boolean remove(String id) {
        boolean removed = active.removeIf(rule -> rule.rule.id().equals(id));
        any = !active.isEmpty();
        return removed;
    }

    public synchronized void clear() {
        active.clear();
        any = false;
    }

    public synchronized List<Shown> list() {
        return active.stream().map(rule -> new Shown(rule.rule, rule.hits)).toList();
    }

    /** What happens to a call that arrives now; each effect that is told counts as struck. */
    public List<Effect> strike(Call call) {
        return any ? take(call, effect -> !onRunningWatch(effect)) : List.of();
    }

    /** Whether a running watch ends now; counts as struck. */
    public boolean endsWatch(Call call) {
        return any && !take(call, Effect.WatchEnd.class::isInstance).isEmpty();
    }

    /** Whether nothing of a client's comes through at this moment. */
    public boolean partitions(Call call) {
        return any && inForce(call).stream().anyMatch(Effect.Partition.class::isInstance);
    }

    /**
     * What holds a running watch back.
     *
     * @param lag how much later than it happened an event is shown
     */
    public record Hold(boolean stalled, Duration lag) {
        static final Hold NONE = new Hold(false, Duration.ZERO);
    }

    /** What holds a running watch back at this moment. */
    public Hold hold(Call call) {
        if (!any) {
            return Hold.NONE;
        }
        boolean stalled = false;
        Duration lag = Duration.ZERO;
        for (Effect effect : inForce(call)) {
            if (effect instanceof Effect.WatchStall) {
                stalled = true;
            } else if (effect instanceof Effect.WatchLag(Duration by) && by.compareTo(lag) > 0) {
                lag = by;
            }
        }
        return new Hold(stalled, lag);
    }

    private synchronized List<Effect> inForce(Call call) {
        return active.stream()
                .filter(rule -> !spent(rule) && rule.rule.scope().covers(call))
                .map(rule -> rule.rule.effect())
                .toList();
    }

    /** A watch that runs is told of every rule that is added. */
    public synchronized void watchBegins(Consumer<FaultRule> watch) {
        watches.add(watch);
    }

    public synchronized void watchEnds(Consumer<FaultRule> watch) {
        watches.remove(watch);
    }

    /** How many watches run at this moment. */
    public synchronized int runningWatches() {
        return watches.size();
    }

    private synchronized List<Effect> take(Call call, Predicate<Effect> kind) {
        List<Effect> effects = new ArrayList<>();
        for (Active rule : active) {
            if (spent(rule)
                    || !kind.test(rule.rule.effect())
                    || !rule.rule.scope().covers(call)
                    || (rule.rule.probability() < 1
                            && random.nextDouble() >= rule.rule.probability())) {
                continue;
            }
            rule.hits++;
            effects.add(rule.rule.effect());
        }
        return effects;
    }

    private static boolean spent(Active rule) {
        Integer count = rule.rule.count();
        return count != null && rule.hits >= count;
    }

    private static boolean onRunningWatch(Effect effect) {
        return switch (effect) {
            case Effect.WatchStall ignored -> true;
            case Effect.WatchLag ignored -> true;
            case Effect.WatchEnd ignored -> true;
            default -> false;
        };
    }
}
