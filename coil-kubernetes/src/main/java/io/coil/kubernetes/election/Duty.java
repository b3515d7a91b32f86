package io.coil.kubernetes.election;

import org.jspecify.annotations.Nullable;

/** What the leader does. */
public interface Duty {

    /**
     * We lead. Runs as a task of its own, which is interrupted when the term ends; what it starts
     * beside itself must end in {@link #onStopped} at the latest. It may return before: the term
     * goes on. If it fails, the term ends and another election follows.
     */
    void onLeading(Term term) throws InterruptedException;

    /** The term is over and its task has ended. No new term begins before this returns. */
    default void onStopped(Term term) throws InterruptedException {}

    /** Somebody else leads, or nobody (null), as far as we see. */
    default void onHolder(@Nullable String identity) {}
}
