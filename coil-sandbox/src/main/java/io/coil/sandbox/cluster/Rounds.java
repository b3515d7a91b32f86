package io.coil.sandbox.cluster;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.time.Timeline;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;

/** A task that looks at the whole again whenever something changed, and now and then anyway. */
final class Rounds {
    private static final Logger LOG = LoggerFactory.getLogger(Rounds.class);
    private static final Duration AFTER_FAILURE = Duration.ofMillis(500);

    /** One look: compares what is with what should be, and takes the next steps. */
    @FunctionalInterface
    interface Round {
        void look() throws InterruptedException;
    }

    private Rounds() {}

    static Timeline.Running start(
            Timeline timeline,
            String name,
            Timeline.Signal changed,
            Duration atLeastEvery,
            Round round) {
        return timeline.start(name, () -> turn(timeline, name, changed, atLeastEvery, round));
    }

    private static void turn(
            Timeline timeline,
            String name,
            Timeline.Signal changed,
            Duration atLeastEvery,
            Round round)
            throws InterruptedException {
        while (true) {
            try {
                round.look();
                changed.await(atLeastEvery);
            } catch (ApiFailure.Stale e) {
                // Somebody was quicker: the next round sees what there is now.
                timeline.sleep(Duration.ofMillis(20));
            } catch (ApiFailure e) {
                LOG.atDebug().addKeyValue("task", name).setCause(e).log("round failed");
                timeline.sleep(timeline.jitter(AFTER_FAILURE, 0.5));
            }
        }
    }
}
