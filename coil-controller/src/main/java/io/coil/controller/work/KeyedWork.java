package io.coil.controller.work;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Looks at keys: at most so many at once, one look at a time per key, and again with back-off after
 * an error. Asking is level-based: many asks before a look are one look.
 *
 * <p>An error stops only its key. A stopped work starts no look; those that run are interrupted.
 */
public final class KeyedWork<K> {
    private static final Logger LOG = LoggerFactory.getLogger(KeyedWork.class);

    /** So an answer comes within 5 s of the API being well again. */
    private static final Duration MOST_AFTER_TRANSIENT = Duration.ofSeconds(3);

    private static final Duration MOST_AFTER_REJECTED = Duration.ofSeconds(30);
    private static final Duration FIRST = Duration.ofMillis(50);
    private static final Duration IDLE = Duration.ofMinutes(1);

    /** One look at a key; decides by what is, not by why it was asked. */
    @FunctionalInterface
    public interface Look<K> {
        /** When to look again although nobody asks; null: not. */
        @Nullable Duration at(K key) throws InterruptedException;
    }

    private record Due<K>(long nanos, K key) {}

    private final Timeline timeline;
    private final String name;
    private final int atOnce;
    private final BooleanSupplier allowed;
    private final Look<K> look;
    private final Timeline.Signal changed;

    private final Object lock = new Object();
    // all guarded by lock
    private final LinkedHashSet<K> waiting = new LinkedHashSet<>();
    private final Set<K> running = new HashSet<>();
    private final Set<K> askedMeanwhile = new HashSet<>();
    private final List<Timeline.Running> tasks = new ArrayList<>();
    private final Map<K, Long> dueAt = new HashMap<>();
    private final Map<K, Integer> failures = new HashMap<>();
    private final PriorityQueue<Due<K>> due =
            new PriorityQueue<>((a, b) -> Long.signum(a.nanos() - b.nanos()));
    private boolean stopped;
    private Timeline.@Nullable Running dispatcher;

    /** {@code allowed}: asked before every look; once it says no, none starts any more. */
    public KeyedWork(
            Timeline timeline, String name, int atOnce, BooleanSupplier allowed, Look<K> look) {
        this.timeline = timeline;
        this.name = name;
        this.atOnce = atOnce;
        this.allowed = allowed;
        this.look = look;
        this.changed = timeline.signal();
    }

    public void start() {
        synchronized (lock) {
            dispatcher = timeline.start(name, this::dispatch);
        }
    }

    /** No look starts after this; those that run are interrupted. */
    public void stop() {
        List<Timeline.Running> all = new ArrayList<>();
        synchronized (lock) {
            stopped = true;
            if (dispatcher != null) {
                all.add(dispatcher);
            }
            all.addAll(tasks);
        }
        all.forEach(Timeline.Running::stop);
    }

    /** Waits for what ran when it was stopped. */
    public boolean awaitEnd(Duration max) throws InterruptedException {
        List<Timeline.Running> all;
        synchronized (lock) {
            all = List.copyOf(tasks);
        }
        long end = timeline.nanos() + max.toNanos();
        boolean ended = true;
        for (Timeline.Running task : all) {
            Duration left = Duration.ofNanos(Math.max(0, end - timeline.nanos()));
            ended &= task.awaitEnd(left);
        }
        return ended;
    }

    /** Look at it soon. */
    public void ask(K key) {
        synchronized (lock) {
            if (running.contains(key)) {
                askedMeanwhile.add(key);
                return;
            }
            waiting.add(key);
        }
        changed.raise();
    }

    /** Look at it after that time, or when asked, or when it was due before, whichever is first. */
    public void askAfter(K key, Duration delay) {
        synchronized (lock) {
            later(key, delay);
        }
        changed.raise();
    }

    /** Looks that wait or run. */
    public int pending() {
        synchronized (lock) {
            return waiting.size() + running.size();
        }
    }

    private void later(K key, Duration delay) {
        long at = timeline.nanos() + delay.toNanos();
        Long before = dueAt.get(key);
        if (before == null || at - before < 0) {
            dueAt.put(key, at);
            due.add(new Due<>(at, key));
        }
    }

    private void dispatch() throws InterruptedException {
        while (true) {
            Duration pause;
            synchronized (lock) {
                if (stopped || !allowed.getAsBoolean()) {
                    return;
                }
                takeDue();
                startWhatFits();
                Due<K> next = due.peek();
                pause =
                        next == null
                                ? IDLE
                                : Duration.ofNanos(Math.max(0, next.nanos() - timeline.nanos()));
            }
            changed.await(pause);
        }
    }

    private void takeDue() {
        long now = timeline.nanos();
        for (Due<K> next = due.peek(); next != null && next.nanos() - now <= 0; next = due.peek()) {
            due.poll();
            Long at = dueAt.get(next.key());
            if (at == null || at != next.nanos()) {
                continue; // an earlier one replaced it
            }
            dueAt.remove(next.key());
            if (running.contains(next.key())) {
                askedMeanwhile.add(next.key());
            } else {
                waiting.add(next.key());
            }
        }
    }

    private void startWhatFits() {
        tasks.removeIf(task -> !task.isAlive());
        Iterator<K> keys = waiting.iterator();
        while (running.size() < atOnce && keys.hasNext() && allowed.getAsBoolean()) {
            K key = keys.next();
            keys.remove();
            running.add(key);
            tasks.add(timeline.start(name + " " + key, () -> lookAt(key)));
        }
    }

    private void lookAt(K key) throws InterruptedException {
        @Nullable Duration again = null;
        boolean failed = true;
        try {
            again = look.at(key);
            failed = false;
        } catch (ApiFailure.Stale e) {
            LOG.atDebug().addKeyValue("key", key).addKeyValue("why", e.getMessage()).log("stale");
            again = backOff(key, Duration.ZERO, MOST_AFTER_TRANSIENT);
        } catch (ApiFailure.Transient e) {
            LOG.atLevel(isStopped() ? Level.DEBUG : Level.INFO)
                    .addKeyValue("work", name)
                    .addKeyValue("key", key)
                    .addKeyValue("why", e.getMessage())
                    .log("the API did not answer well, trying again");
            again = backOff(key, e.retryAfter(), MOST_AFTER_TRANSIENT);
        } catch (ApiFailure.Rejected e) {
            LOG.atWarn()
                    .addKeyValue("work", name)
                    .addKeyValue("key", key)
                    .addKeyValue("why", e.getMessage())
                    .log("the API refuses, trying again later");
            again = backOff(key, Duration.ZERO, MOST_AFTER_REJECTED);
        } catch (RuntimeException e) {
            LOG.atError()
                    .addKeyValue("work", name)
                    .addKeyValue("key", key)
                    .setCause(e)
                    .log("look failed, trying again later");
            again = backOff(key, Duration.ZERO, MOST_AFTER_REJECTED);
        } finally {
            finished(key, failed, again);
        }
    }

    private boolean isStopped() {
        synchronized (lock) {
            return stopped;
        }
    }

    private void finished(K key, boolean failed, @Nullable Duration again) {
        synchronized (lock) {
            running.remove(key);
            if (!failed) {
                failures.remove(key);
            }
            boolean asked = askedMeanwhile.remove(key);
            if (asked && !failed) {
                waiting.add(key);
            }
            if (again != null) {
                later(key, again);
            }
        }
        changed.raise();
    }

    /** Exponential with full jitter, and not before the server wants it. */
    private Duration backOff(K key, Duration atLeast, Duration atMost) {
        int before;
        synchronized (lock) {
            before = failures.merge(key, 1, Integer::sum) - 1;
        }
        long bound = Math.min(atMost.toNanos(), FIRST.toNanos() << Math.min(before, 20));
        long wait = bound / 4 + Math.round(timeline.random().nextDouble() * bound * 3 / 4);
        return Duration.ofNanos(Math.max(wait, atLeast.toNanos()));
    }
}
