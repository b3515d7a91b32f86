package io.coil.simulation.schedule;

import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/** The seam of time, as one process sees it. Only waiting lets others run. */
final class ActorTime implements Timeline {
    private final Actor actor;

    ActorTime(Actor actor) {
        this.actor = actor;
    }

    @Override
    public Instant now() {
        return actor.wall();
    }

    @Override
    public long nanos() {
        return actor.scheduler().nanos();
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        actor.alive();
        long until = actor.scheduler().after(time);
        do {
            actor.waitUntil(until);
        } while (nanos() < until);
    }

    @Override
    public Running start(String name, Task task) {
        return actor.start(name, task);
    }

    @Override
    public Signal signal() {
        return new Flag(actor);
    }

    @Override
    public RandomGenerator random() {
        return actor.random();
    }

    private static final class Flag implements Signal {
        private final Actor actor;
        private boolean raised;
        private io.coil.simulation.schedule.@Nullable Task waiting;

        Flag(Actor actor) {
            this.actor = actor;
        }

        @Override
        public void raise() {
            raised = true;
            if (waiting != null && !actor.dead()) {
                actor.scheduler().wake(waiting);
            }
        }

        @Override
        public boolean await(Duration max) throws InterruptedException {
            actor.alive();
            long until = actor.scheduler().after(max);
            waiting = actor.scheduler().caller();
            try {
                while (!raised && actor.scheduler().nanos() < until) {
                    actor.waitUntil(until);
                }
                boolean was = raised;
                raised = false;
                return was;
            } finally {
                waiting = null;
            }
        }
    }
}
