package io.coil.kubernetes.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

class VirtualThreadsTest {
    private static final Duration LONG = Duration.ofSeconds(10);

    private final Timeline timeline = new VirtualThreads();

    @Test
    void aTaskThatIsStoppedEndsAtItsWait() throws Exception {
        Timeline.Running task = timeline.start("sleeper", () -> timeline.sleep(LONG));
        assertThat(task.isAlive()).isTrue();

        task.stop();

        assertThat(task.awaitEnd(LONG)).isTrue();
        assertThat(task.isAlive()).isFalse();
    }

    @Test
    void aTaskThatFailsHarmsNobody() throws Exception {
        Timeline.Running task =
                timeline.start(
                        "failing",
                        () -> {
                            throw new IllegalStateException("as the test wants");
                        });

        assertThat(task.awaitEnd(LONG)).isTrue();
    }

    @Test
    void aSignalThatWasRaisedBeforeTheWaitIsNotLostAndHoldsOnce() throws Exception {
        Timeline.Signal signal = timeline.signal();
        signal.raise();
        signal.raise();

        assertThat(signal.await(LONG)).isTrue();
        assertThat(signal.await(Duration.ZERO)).isFalse();
    }

    @Test
    void aSignalWakesWhoWaits() throws Exception {
        Timeline.Signal signal = timeline.signal();
        AtomicBoolean woken = new AtomicBoolean();
        Timeline.Running task = timeline.start("waiter", () -> woken.set(signal.await(LONG)));

        signal.raise();

        assertThat(task.awaitEnd(LONG)).isTrue();
        assertThat(woken).isTrue();
    }

    @Test
    void jitterStaysWithinItsFraction() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(timeline.jitter(Duration.ofSeconds(100), 0.1))
                    .isBetween(Duration.ofSeconds(90), Duration.ofSeconds(110));
        }
    }
}
