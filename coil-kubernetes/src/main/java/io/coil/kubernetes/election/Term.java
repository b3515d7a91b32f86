package io.coil.kubernetes.election;

import io.coil.kubernetes.time.Timeline;

import java.time.Duration;

/** One time of leading, from taking the lease to losing it or giving it back. */
public final class Term {
    private final Timeline timeline;
    private final long number;
    private final Duration deadline;
    // both guarded by this
    private long renewed;
    private boolean ended;

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
     *
     * <p>Once it has said no it stays with it: whoever stops because of that does not begin again,
     * so a renewal that comes later must not make a term of which half has stopped.
     */
    public synchronized boolean held() {
        ended |= !left().isPositive();
        return !ended;
    }

    /** Until the term ends if it is not renewed. */
    synchronized Duration left() {
        return deadline.minusNanos(timeline.nanos() - renewed);
    }

    /** Since the last renewal was sent. */
    synchronized Duration unrenewed() {
        return Duration.ofNanos(timeline.nanos() - renewed);
    }

    /** False if it came too late: the term is over. */
    synchronized boolean renewed(long sent) {
        if (!held()) {
            return false;
        }
        renewed = sent;
        return true;
    }

    synchronized void end() {
        ended = true;
    }

    @Override
    public String toString() {
        return "term " + number;
    }
}
