package io.coil.simulation.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.kubernetes.time.Timeline;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;

class SchedulerTest {
    private final List<String> said = new ArrayList<>();
    private final Scheduler scheduler =
            new Scheduler(
                    new SplittableRandom(1),
                    new Scheduler.Watcher() {
                        @Override
                        public void died(String task, Throwable error) {
                            said.add(task + " died: " + error.getMessage());
                        }

                        @Override
                        public void stuck(String task, String where) {
                            said.add(task + " is stuck");
                        }
                    });

    private Actor actor(String name) {
        return new Actor(scheduler, name, new SplittableRandom(1));
    }

    private void run(Duration time) {
        while (scheduler.step(time.toNanos())) {
            // Until then.
        }
    }

    @Test
    @DisplayName("time jumps to the next wake-up, and tasks take turns by it")
    void takesTurnsByTime() {
        Timeline time = actor("a").time();
        time.start("slow", () -> sleepAndSay(time, Duration.ofHours(2)));
        time.start("fast", () -> sleepAndSay(time, Duration.ofHours(1)));

        run(Duration.ofHours(3));

        assertThat(said).containsExactly("after PT1H", "after PT2H");
        assertThat(scheduler.nanos()).isEqualTo(Duration.ofHours(3).toNanos());
    }

    private void sleepAndSay(Timeline time, Duration span) throws InterruptedException {
        time.sleep(span);
        said.add("after " + span);
    }

    @Test
    @DisplayName("a killed process runs no further than its next seam, its finally blocks included")
    void killedIsKilled() {
        Actor actor = actor("a");
        Timeline time = actor.time();
        Timeline.Running task =
                actor.start(
                        "task",
                        () -> {
                            try {
                                time.sleep(Duration.ofHours(1));
                            } finally {
                                said.add("unwinds");
                                time.sleep(Duration.ZERO);
                                said.add("goes on");
                            }
                        });
        scheduler.at(Duration.ofMinutes(1).toNanos(), actor::kill);

        run(Duration.ofHours(2));

        assertThat(said).containsExactly("unwinds");
        assertThat(task.isAlive()).isFalse();
    }

    @Test
    @DisplayName("a task that is stopped hears of it at its wait")
    void stoppedIsInterrupted() {
        Timeline time = actor("a").time();
        Timeline.Running waiting =
                time.start(
                        "waiting",
                        () -> {
                            try {
                                time.signal().await(Duration.ofHours(9));
                            } catch (InterruptedException e) {
                                said.add("stopped at " + Duration.ofNanos(time.nanos()));
                            }
                        });
        time.start(
                "stopping",
                () -> {
                    time.sleep(Duration.ofMinutes(5));
                    waiting.stop();
                    said.add("ended " + waiting.awaitEnd(Duration.ofMinutes(1)));
                });

        run(Duration.ofHours(1));

        assertThat(said).containsExactly("stopped at PT5M", "ended true");
    }

    @Test
    @DisplayName("8: a lock that is held at a seam is noticed as soon as somebody else wants it")
    void lockAtASeam() {
        Timeline time = actor("a").time();
        ReentrantLock lock = new ReentrantLock();
        time.start(
                "holder",
                () -> {
                    lock.lock();
                    try {
                        time.sleep(Duration.ofSeconds(10));
                    } finally {
                        lock.unlock();
                    }
                });
        time.start(
                "other",
                () -> {
                    time.sleep(Duration.ofSeconds(1));
                    lock.lock();
                    try {
                        said.add("the lock was free");
                    } finally {
                        lock.unlock();
                    }
                });

        try (Watchdog dog = new Watchdog(scheduler)) {
            run(Duration.ofMinutes(1));
            assertThat(dog).isNotNull();
        }

        assertThat(said).containsExactly("a other is stuck");
    }

    @Test
    @DisplayName("a frozen process stands still, and its wake-ups wait for it")
    void frozen() {
        Actor actor = actor("a");
        Timeline time = actor.time();
        time.start(
                "task",
                () -> {
                    time.sleep(Duration.ofSeconds(1));
                    said.add("woke at " + Duration.ofNanos(time.nanos()));
                });
        scheduler.after(
                Duration.ofMillis(500), () -> actor.freeze(Duration.ofMinutes(1).toNanos()));

        run(Duration.ofMinutes(2));

        assertThat(said).containsExactly("woke at PT1M");
    }

    @Test
    @DisplayName("a process that is thawed goes on at once, and it stays known that it stood still")
    void thawed() {
        Actor actor = actor("a");
        Timeline time = actor.time();
        time.start(
                "task",
                () -> {
                    time.sleep(Duration.ofSeconds(1));
                    said.add("woke at " + Duration.ofNanos(time.nanos()));
                });
        scheduler.after(
                Duration.ofMillis(500), () -> actor.freeze(Duration.ofMinutes(1).toNanos()));
        scheduler.after(Duration.ofSeconds(20), actor::thaw);

        run(Duration.ofMinutes(2));

        assertThat(said).containsExactly("woke at PT20S");
        assertThat(actor.frozenUntil()).isEqualTo(Duration.ofSeconds(20).toNanos());
    }

    @Test
    @DisplayName("an error that leaves a task is told")
    void errorsAreTold() {
        actor("a")
                .time()
                .start(
                        "task",
                        () -> {
                            throw new IllegalStateException("unexpected");
                        });

        run(Duration.ofSeconds(1));

        assertThat(said).containsExactly("a task died: unexpected");
    }
}
