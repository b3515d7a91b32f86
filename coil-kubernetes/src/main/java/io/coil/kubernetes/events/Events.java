package io.coil.kubernetes.events;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.LongAdder;

/**
 * Tells people, by events beside the objects, what happened and why.
 *
 * <p>Saying something never blocks and never fails: it is written later, by a task; what says the
 * same again only raises a count; an object that is talked about too much is written about less
 * often; and while the API is away too long, the oldest is dropped. An event is a courtesy: nothing
 * may depend on it.
 */
public final class Events {
    private static final Logger LOG = LoggerFactory.getLogger(Events.class);
    private static final int MOST_WAITING = 1_000;
    private static final Duration LOOK = Duration.ofMinutes(1);

    private final Timeline timeline;
    private final EventWriter writer;
    private final Timeline.Signal said;
    private final LongAdder dropped = new LongAdder();

    // guarded by itself
    private final Deque<Saying> waiting = new ArrayDeque<>();

    private volatile Timeline.@Nullable Running task;

    /**
     * Events of one program.
     *
     * @param component its name, as {@code kubectl describe} shows it
     * @param instance its pod or node
     */
    public Events(KubeApi api, Timeline timeline, String component, String instance) {
        this.timeline = timeline;
        this.writer = new EventWriter(api, timeline, component, instance);
        this.said = timeline.signal();
    }

    public void start() {
        task = timeline.start("events", this::run);
    }

    /** What has not been written yet is lost. */
    public void stop() {
        Timeline.Running running = task;
        if (running != null) {
            running.stop();
        }
    }

    /** {@code reason}: one word in upper camel case; {@code message}: a sentence. */
    public void normal(Subject about, String reason, String message) {
        say(new Saying(about, "Normal", reason, message));
    }

    /** The same for what somebody should look at. */
    public void warning(Subject about, String reason, String message) {
        say(new Saying(about, "Warning", reason, message));
    }

    /** Sayings that were never written, for metrics. */
    public long dropped() {
        return dropped.sum();
    }

    private void say(Saying saying) {
        synchronized (waiting) {
            if (waiting.size() == MOST_WAITING) {
                waiting.removeFirst();
                dropped.increment();
            }
            waiting.addLast(saying);
        }
        said.raise();
    }

    private void run() throws InterruptedException {
        while (true) {
            Saying next = poll();
            if (next == null) {
                said.await(LOOK);
            } else {
                write(next);
            }
        }
    }

    private @Nullable Saying poll() {
        synchronized (waiting) {
            return waiting.pollFirst();
        }
    }

    private void write(Saying saying) throws InterruptedException {
        try {
            writer.write(saying);
        } catch (ApiFailure e) {
            dropped.increment();
            LOG.atDebug()
                    .addKeyValue("reason", saying.reason())
                    .addKeyValue("failure", e.getMessage())
                    .log("an event could not be written");
        }
    }
}
