package io.coil.kubernetes.time;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;

/**
 * A task that begins again after an error that nobody expected, instead of ending: one error stops
 * one thing, for a moment. Its work must be safe to begin again.
 */
public record Persistent(Timeline timeline, String name, Timeline.Task task)
        implements Timeline.Task {
    private static final Logger LOG = LoggerFactory.getLogger(Persistent.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    @Override
    public void run() throws InterruptedException {
        while (true) {
            try {
                task.run();
                return;
            } catch (RuntimeException e) {
                LOG.atError()
                        .addKeyValue("task", name)
                        .setCause(e)
                        .log("unexpected error, the task begins again");
                timeline.sleep(timeline.jitter(PAUSE, 0.3));
            }
        }
    }
}
