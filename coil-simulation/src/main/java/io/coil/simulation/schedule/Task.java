package io.coil.simulation.schedule;

import io.coil.kubernetes.time.Timeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A virtual thread that runs only while it has the turn. Everything but {@code turn} is touched by
 * whoever has the turn, and so needs no lock.
 */
final class Task implements Timeline.Running {
    final Actor actor;
    final String name;
    private final Scheduler scheduler;
    private final Thread thread;
    private final List<Task> joining = new ArrayList<>();

    /** True while it runs; the scheduler sets it, the task takes it back. */
    private volatile boolean turn;

    /** Of the present wait; a wake-up that carries another is too late. */
    long ticket;

    /** Of the wait that would be over, if its process did not stand still; -1: of none. */
    long frozen = -1;

    /** Whether an interrupt ends the present wait. */
    boolean interruptible;

    /** Asked to end, and not yet told. */
    boolean interrupted;

    private boolean started;
    private boolean ended;

    Task(Scheduler scheduler, Actor actor, String name, Timeline.Task body) {
        this.scheduler = scheduler;
        this.actor = actor;
        this.name = name;
        this.thread =
                Thread.ofVirtual().name(actor.name() + " " + name).unstarted(() -> runToEnd(body));
    }

    /**
     * Called by the scheduler: the task runs until its next wait; returns when it has come there.
     */
    void run() {
        if (ended) {
            return;
        }
        turn = true;
        if (started) {
            LockSupport.unpark(thread);
        } else if (actor.dead()) {
            turn = false;
            end();
            return;
        } else {
            started = true;
            thread.start();
        }
        scheduler.awaitTurnBack(this);
    }

    boolean hasTurn() {
        return turn;
    }

    /** Whether it waits for something that is no seam, so that its turn never comes back. */
    boolean stuck() {
        Thread.State state = thread.getState();
        return turn && (state == Thread.State.BLOCKED || state == Thread.State.WAITING);
    }

    boolean isCaller() {
        return Thread.currentThread() == thread;
    }

    /** Called by the task: gives the turn back, and waits for the next one. */
    void yieldTurn() {
        boolean flagged = Thread.interrupted();
        turn = false;
        scheduler.turnIsBack();
        while (!turn) {
            LockSupport.park(this);
        }
        if (flagged) {
            Thread.currentThread().interrupt();
        }
    }

    private void runToEnd(Timeline.Task body) {
        try {
            body.run();
        } catch (InterruptedException e) {
            // It was asked to end.
        } catch (Killed e) {
            // So was its process.
        } catch (RuntimeException | Error e) {
            scheduler.died(this, e);
        }
        end();
        turn = false;
        scheduler.turnIsBack();
    }

    private void end() {
        ended = true;
        actor.ended(this);
        joining.forEach(scheduler::wake);
        joining.clear();
    }

    @Override
    public void stop() {
        if (ended) {
            return;
        }
        interrupted = true;
        if (interruptible) {
            scheduler.wake(this);
        }
    }

    @Override
    public boolean isAlive() {
        return !ended;
    }

    @Override
    public boolean awaitEnd(Duration max) throws InterruptedException {
        long until = scheduler.after(max);
        Task waiting = scheduler.caller();
        while (!ended && scheduler.nanos() < until) {
            joining.add(waiting);
            try {
                waiting.actor.waitUntil(until);
            } finally {
                joining.remove(waiting);
            }
        }
        return ended;
    }

    StackTraceElement[] stack() {
        return thread.getStackTrace();
    }

    @Override
    public String toString() {
        return actor.name() + " " + name;
    }
}
