package io.coil.simulation.schedule;

import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets one task run at a time, each until it waits at a seam; then the next one by virtual time,
 * and by the seed's lot among those of one moment. Time is a number that jumps to the next wake-up.
 *
 * <p>The thread that calls {@link #step} hands the turn to a task's thread and takes it back.
 * Whoever has the turn may touch everything, so nothing here is locked.
 */
public final class Scheduler {
    /** Told what must not happen to any task. */
    public interface Watcher {
        /** A task ended by an error that nobody expected. */
        void died(String task, Throwable error);

        /** A task waits for a lock, or for something else that is no seam. */
        void stuck(String task, String where);
    }

    private record Wake(
            long at,
            int lot,
            long number,
            @Nullable Task task,
            long ticket,
            @Nullable Runnable deed) {
        static final Comparator<Wake> ORDER =
                Comparator.comparingLong(Wake::at)
                        .thenComparingInt(Wake::lot)
                        .thenComparingLong(Wake::number);
    }

    private final PriorityQueue<Wake> queue = new PriorityQueue<>(64, Wake.ORDER);
    private final SplittableRandom lots;
    private final Watcher watcher;
    private volatile @Nullable Thread thread;
    private volatile @Nullable Task running;
    private long now;
    private long wakes;
    private long steps;

    /** {@link #steps}, for the watchdog. */
    private volatile long shown;

    private volatile boolean stuck;

    public Scheduler(SplittableRandom lots, Watcher watcher) {
        this.lots = lots;
        this.watcher = watcher;
    }

    /** Virtual nanoseconds since the beginning. */
    public long nanos() {
        return now;
    }

    /** Turns and deeds so far. */
    public long steps() {
        return steps;
    }

    /** A deed of the world: runs at that time, in one step, by nobody's task. */
    public void at(long nanos, Runnable deed) {
        push(Math.max(now, nanos), null, 0, deed);
    }

    public void after(Duration time, Runnable deed) {
        at(after(time), deed);
    }

    long after(Duration time) {
        try {
            return Math.addExact(now, Math.max(0, time.toNanos()));
        } catch (ArithmeticException forEver) {
            return Long.MAX_VALUE;
        }
    }

    /** One step; false if nothing is left to do until then, and it is that time now. */
    public boolean step(long until) {
        thread = Thread.currentThread();
        Wake next = queue.peek();
        if (stuck || next == null || next.at() > until) {
            now = Math.max(now, until);
            return false;
        }
        queue.poll();
        now = Math.max(now, next.at());
        Task task = next.task();
        if (task == null) {
            steps++;
            shown = steps;
            Objects.requireNonNull(next.deed()).run();
        } else if (next.ticket() == task.ticket && task.isAlive()) {
            long thaw = task.actor.frozenUntil();
            if (thaw > now) {
                task.frozen = next.ticket();
                push(thaw, task, next.ticket(), null);
            } else {
                steps++;
                shown = steps;
                let(task);
            }
        }
        return true;
    }

    /** The task that runs now; an error if the caller is none. */
    Task caller() {
        Task task = running;
        if (task == null || !task.isCaller()) {
            throw new IllegalStateException(
                    "no task of this simulation: " + Thread.currentThread());
        }
        return task;
    }

    /** Whether a task runs, and not the world. */
    boolean inTask() {
        return running != null;
    }

    /** Whether the caller is the task that runs. */
    public boolean isCalledByTask() {
        Task task = running;
        return task != null && task.isCaller();
    }

    Task start(Actor actor, String name, Timeline.Task body) {
        Task task = new Task(this, actor, name, body);
        push(now, task, task.ticket, null);
        return task;
    }

    /** The caller waits until then, or until it is woken; true if an interrupt ended it. */
    void pause(long until, boolean interruptible) {
        Task me = caller();
        me.interruptible = interruptible;
        me.ticket++;
        if (until != Long.MAX_VALUE) {
            push(until, me, me.ticket, null);
        }
        me.yieldTurn();
        me.ticket++;
        me.interruptible = false;
    }

    void wake(Task task) {
        push(now, task, task.ticket, null);
    }

    /** Its process stands still no more: what was to wake it meanwhile does so now. */
    void thawed(Task task) {
        if (task.frozen == task.ticket) {
            push(now, task, task.ticket, null);
        }
    }

    void wakeAt(Task task, long at) {
        push(Math.max(now, at), task, task.ticket, null);
    }

    /** Lets a task run outside its time: to its end, because its process is dead. */
    void unwind(Task task) {
        let(task);
    }

    private void let(Task task) {
        Task before = running;
        running = task;
        try {
            task.run();
        } finally {
            running = before;
        }
    }

    void awaitTurnBack(Task task) {
        while (task.hasTurn() && !stuck) {
            LockSupport.park(this);
        }
        if (task.hasTurn()) {
            StackTraceElement[] stack = task.stack();
            watcher.stuck(task.toString(), stack.length == 0 ? "?" : ours(stack));
        }
    }

    /**
     * Called now and then by a thread beside: a task that waits for a lock never gives its turn
     * back, and then nobody here would ever go on.
     *
     * @param before what this returned the last time
     * @return where the run stands; if that does not change, the task that runs is suspected
     */
    long look(long before) {
        long at = shown;
        Task task = running;
        if (at == before && task != null && task.stuck()) {
            stuck = true;
            LockSupport.unpark(thread);
        }
        return at;
    }

    private static String ours(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            if (frame.getClassName().startsWith("io.coil.")) {
                return frame.toString();
            }
        }
        return stack[0].toString();
    }

    void turnIsBack() {
        LockSupport.unpark(thread);
    }

    void died(Task task, Throwable error) {
        watcher.died(task.toString(), error);
    }

    private void push(long at, @Nullable Task task, long ticket, @Nullable Runnable deed) {
        queue.add(new Wake(at, lots.nextInt(), wakes++, task, ticket, deed));
    }
}
