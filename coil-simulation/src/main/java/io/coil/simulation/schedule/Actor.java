package io.coil.simulation.schedule;

import io.coil.kubernetes.time.Timeline;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * One life of one process: its tasks, its clocks, its luck. Once it is killed, nothing that it does
 * reaches the world any more.
 */
public final class Actor {
    /** Where wall clocks begin. */
    public static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final Scheduler scheduler;
    private final String name;
    private final SplittableRandom random;
    private final Set<Task> tasks = new LinkedHashSet<>();
    private final List<Runnable> obituaries = new ArrayList<>();
    private final Timeline time = new ActorTime(this);
    private Duration clockOff = Duration.ZERO;
    private long frozenUntil;
    private boolean dead;

    public Actor(Scheduler scheduler, String name, SplittableRandom random) {
        this.scheduler = scheduler;
        this.name = name;
        this.random = random;
    }

    public String name() {
        return name;
    }

    public Timeline time() {
        return time;
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    public RandomGenerator random() {
        return random;
    }

    public boolean dead() {
        return dead;
    }

    /** Called when it is killed, after its last task has ended. */
    public void onDeath(Runnable told) {
        obituaries.add(told);
    }

    /** Dies at this instant. To be called by the world, not by a task. */
    public void kill() {
        if (dead) {
            return;
        }
        if (scheduler.inTask()) {
            throw new IllegalStateException("a task kills a process: let the world do it");
        }
        dead = true;
        for (Task task : List.copyOf(tasks)) {
            scheduler.unwind(task);
        }
        obituaries.forEach(Runnable::run);
        obituaries.clear();
    }

    /** Stands still until then; time goes on without it. */
    public void freeze(long untilNanos) {
        frozenUntil = Math.max(frozenUntil, untilNanos);
    }

    /** Goes on now; that it stood still up to now stays known. */
    public void thaw() {
        if (frozenUntil > scheduler.nanos()) {
            frozenUntil = scheduler.nanos();
            tasks.forEach(scheduler::thawed);
        }
    }

    /** It stands, or stood, still until then. */
    public long frozenUntil() {
        return frozenUntil;
    }

    /** The wall clock jumps; the monotonic one does not. */
    public void jump(Duration by) {
        clockOff = clockOff.plus(by);
    }

    Instant wall() {
        return BEGIN.plusNanos(scheduler.nanos()).plus(clockOff);
    }

    Task start(String task, Timeline.Task body) {
        alive();
        Task started = scheduler.start(this, task, body);
        tasks.add(started);
        return started;
    }

    void ended(Task task) {
        tasks.remove(task);
    }

    /** Every seam begins with this. */
    public void alive() {
        if (dead) {
            throw new Killed();
        }
    }

    /** The caller waits, until then or until it is woken; an interrupt ends the wait. */
    void waitUntil(long until) throws InterruptedException {
        interruptible();
        scheduler.pause(until, true);
        alive();
        interruptible();
    }

    private void interruptible() throws InterruptedException {
        if (takeInterrupt()) {
            throw new InterruptedException();
        }
    }

    /** The caller's call takes that long; true if it was asked to end meanwhile. */
    public boolean pass(Duration span) {
        alive();
        scheduler.pause(scheduler.after(span), true);
        alive();
        return takeInterrupt();
    }

    /** The same, but nothing cuts it short. */
    public void passWhole(Duration span) {
        alive();
        scheduler.pause(scheduler.after(span), false);
        alive();
    }

    /** Whether the caller was asked to end; then it has been told. */
    public boolean takeInterrupt() {
        alive();
        Task me = scheduler.caller();
        boolean flagged = Thread.interrupted();
        boolean asked = me.interrupted || flagged;
        me.interrupted = false;
        return asked;
    }

    /** A wait of the caller for something that the world does. */
    public Nap nap() {
        return new Nap(this);
    }

    /** One task's wait for something else than time. */
    public static final class Nap {
        private final Actor actor;
        private Task sleeper;

        private Nap(Actor actor) {
            this.actor = actor;
            this.sleeper = actor.scheduler.caller();
        }

        /** Until then, or until woken. */
        public void until(long nanos) throws InterruptedException {
            sleeper = actor.scheduler.caller();
            actor.waitUntil(nanos);
        }

        /** The same; nothing but the end of its process cuts it short. */
        public void untilWoken() {
            sleeper = actor.scheduler.caller();
            actor.scheduler.pause(Long.MAX_VALUE, false);
            actor.alive();
        }

        public void wake() {
            actor.scheduler.wake(sleeper);
        }

        public void wakeAt(long nanos) {
            actor.scheduler.wakeAt(sleeper, nanos);
        }
    }
}
