package io.coil.simulation.world;

import io.coil.simulation.schedule.Actor;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that is begun again whenever it has ended, as long as it is wanted.
 *
 * @param <P> what runs in it
 */
final class Program<P> {
    private static final Duration AGAIN = Duration.ofSeconds(2);

    /** How a life begins and ends. */
    interface Code<P> {
        /** Makes what runs, and does nothing yet. */
        P make(Actor life, int number);

        void start(P made);

        void stop(P made) throws InterruptedException;
    }

    private final Ground ground;
    private final String name;
    private final Code<P> code;
    private @Nullable Actor life;
    private @Nullable P running;
    private final List<Actor> unseen = new ArrayList<>();
    private int lives;
    private boolean wanted;

    Program(Ground ground, String name, Code<P> code) {
        this.ground = ground;
        this.name = name;
        this.code = code;
    }

    String name() {
        return name;
    }

    /** The present life; null if it does not run. */
    @Nullable Actor life() {
        Actor now = life;
        return now == null || now.dead() ? null : now;
    }

    @Nullable P running() {
        return life() == null ? null : running;
    }

    void begin() {
        wanted = true;
        if (life() != null) {
            return;
        }
        lives++;
        Actor born = ground.life(name);
        life = born;
        P made = code.make(born, lives);
        running = made;
        ground.trace().add(name, () -> "begins, life " + lives);
        born.time()
                .start(
                        "main",
                        () -> {
                            try {
                                code.start(made);
                            } catch (io.coil.agent.kernel.KernelFailure e) {
                                ground.trace().add(name, () -> "cannot start: " + e.getMessage());
                                dieAndBeginAgain(born, AGAIN);
                            }
                        });
    }

    /**
     * Another process of it begins while this one lives. If it can start, whoever calls reaches the
     * new one, and this one goes on unseen; else all is as before.
     */
    void beginBeside() {
        Actor first = life();
        if (first == null) {
            return;
        }
        lives++;
        Actor second = ground.life(name);
        P made = code.make(second, lives);
        ground.trace().add(name, () -> "a second process begins, life " + lives);
        second.time()
                .start(
                        "main",
                        () -> {
                            try {
                                code.start(made);
                                unseen.add(first);
                                life = second;
                                running = made;
                            } catch (io.coil.agent.kernel.KernelFailure e) {
                                ground.trace().add(name, () -> "cannot start: " + e.getMessage());
                                ground.scheduler().at(0, second::kill);
                            }
                        });
    }

    /** Dies at this instant, and begins again after that time. */
    void kill(Duration again) {
        Actor now = life();
        if (now != null) {
            ground.trace().add(name, () -> "killed");
            now.kill();
        }
        beginAfter(again);
    }

    /** The same for a life that may be over by now; to be called by a task too. */
    void dieAndBeginAgain(Actor whose, Duration again) {
        ground.scheduler()
                .at(
                        0,
                        () -> {
                            if (life() == whose) {
                                kill(again);
                            }
                        });
    }

    /** Whether that life goes on, and stood still at no time since then. */
    boolean unhindered(@Nullable Actor whose, long sinceNanos) {
        return whose != null && life() == whose && whose.frozenUntil() < sinceNanos;
    }

    boolean owns(Actor actor) {
        return life == actor;
    }

    /** Is asked to end, is killed if it takes too long, and begins again. */
    void restart(Duration again) {
        Actor now = life();
        P stopping = running();
        if (now == null || stopping == null) {
            return;
        }
        ground.trace().add(name, () -> "asked to end");
        now.time()
                .start(
                        "stop",
                        () -> {
                            code.stop(stopping);
                            dieAndBeginAgain(now, again);
                        });
        ground.scheduler().after(Duration.ofSeconds(30), () -> dieAndBeginAgain(now, again));
    }

    /** Ends, and does not begin again by itself. */
    void end() {
        wanted = false;
        unseen.forEach(Actor::kill);
        unseen.clear();
        Actor now = life();
        if (now != null) {
            now.kill();
        }
    }

    private void beginAfter(Duration again) {
        ground.scheduler()
                .at(
                        ground.nanos() + again.toNanos(),
                        () -> {
                            if (wanted) {
                                begin();
                            }
                        });
    }

    /** Whatever slowed it down is over. */
    void heal() {
        if (wanted) {
            Actor now = life();
            if (now == null) {
                begin();
            } else {
                now.thaw();
            }
        }
    }

    void freeze(long millis) {
        Actor now = life();
        if (now != null) {
            now.freeze(ground.nanos() + TimeUnit.MILLISECONDS.toNanos(millis));
        }
    }
}
