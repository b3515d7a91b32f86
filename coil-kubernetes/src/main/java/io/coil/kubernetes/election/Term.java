package io.coil.kubernetes.election;

import io.coil.kubernetes.time.Timeline;

import java.time.Duration;

/** One time of leading, from taking the lease to losing it or giving it back. */
public final class Term {
    private final Timeline timeline;
    private final long number;
    private final Duration deadline;
    private volatile long renewed;
    private volatile boolean ended;

    /** {@code renewed}: before the write that took the lease was sent. */
    Term(Timeline timeline, long number, Duration deadline, long renewed) {
        this.timeline = timeline;
        this.number = number;
        this.deadline = deadline;
        this.renewed = renewed;
    }

    /** Grows with every change of the leader, whoever it is. */
    public long number() {
        return number;
    }

    /**
     * Nobody else can lead yet. Measured on our own clock at the moment of asking, so it is false
     * in time even if the task that should end this term was held up. Ask before every write that
     * only the leader may do.
     */
    public boolean held() {
        return !ended && left().isPositive();
    }

    /** Until the term ends if it is not renewed. */
    Duration left() {
        return deadline.minusNanos(timeline.nanos() - renewed);
    }

    /** Since the last renewal was sent. */
    Duration unrenewed() {
        return Duration.ofNanos(timeline.nanos() - renewed);
    }

    void renewed(long sent) {
        renewed = sent;
    }

    void end() {
        ended = true;
    }

    @Override
    public String toString() {
        return "term " + number;
    }
}
