package io.coil.kubernetes.watch;

import io.coil.kubernetes.time.Timeline;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** How well a {@link Reflector} sees the API: for health, metrics, and pages that say how old. */
public final class Sight {
    /** The last time, on both clocks; {@code failing} says that every try since has failed. */
    private record Contact(long nanos, Instant time, boolean failing) {}

    final LongAdder lists = new LongAdder();
    final LongAdder watches = new LongAdder();
    final LongAdder events = new LongAdder();
    final LongAdder failures = new LongAdder();
    final LongAdder expired = new LongAdder();

    private final Timeline timeline;
    private volatile boolean ever;
    private volatile Contact last;

    Sight(Timeline timeline) {
        this.timeline = timeline;
        this.last = new Contact(timeline.nanos(), timeline.now(), false);
    }

    /**
     * Counters since the start.
     *
     * @param expired lists begun anew because the server no longer kept our version
     */
    public record Counts(long lists, long watches, long events, long failures, long expired) {}

    void contact() {
        ever = true;
        last = new Contact(timeline.nanos(), timeline.now(), false);
    }

    void failed() {
        failures.increment();
        Contact before = last;
        last = new Contact(before.nanos(), before.time(), true);
    }

    /** When the API last told us anything: a list, an event, a bookmark, a watch begun. */
    public Optional<Instant> lastContact() {
        return ever ? Optional.of(last.time()) : Optional.empty();
    }

    /** Time since then, or since this reflector was made. A quiet watch has a bookmark a minute. */
    public Duration silentFor() {
        return Duration.ofNanos(timeline.nanos() - last.nanos());
    }

    /** How long the API has been out of sight; zero while the last try did not fail. */
    public Duration blindFor() {
        Contact now = last;
        return now.failing() ? Duration.ofNanos(timeline.nanos() - now.nanos()) : Duration.ZERO;
    }

    public Counts counts() {
        return new Counts(lists.sum(), watches.sum(), events.sum(), failures.sum(), expired.sum());
    }
}
