package io.coil.core.garbage;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Set;

/**
 * Whether a request for a block is garbage. It is deleted with its UID as precondition; the block
 * that it may have got is the agent's, or an orphan's, business.
 */
public enum StrayRequest {
    KEEP("it is waited for"),
    OWNER_GONE("its owner is not the Node of that name"),
    UNFETCHED("it is answered, and nobody has fetched it");

    private final String evidence;

    StrayRequest(String evidence) {
        this.evidence = evidence;
    }

    public boolean isStray() {
        return this != KEEP;
    }

    /** A sentence for the item. */
    public String evidence() {
        return evidence;
    }

    /**
     * @param ownerUids the UIDs of its owners of kind Node; empty: it was made by hand
     * @param nodeUid the UID of the Node that it is for, read live; null: there is no such Node
     * @param finished it has a condition
     * @param finishedFor since the caller first saw it finished, by the caller's monotonic clock
     * @param fetchedWithin an agent takes much less to fetch what it asked for: 10 minutes
     */
    public static StrayRequest decide(
            Set<String> ownerUids,
            @Nullable String nodeUid,
            boolean finished,
            Duration finishedFor,
            Duration fetchedWithin) {
        if (nodeUid == null || !(ownerUids.isEmpty() || ownerUids.contains(nodeUid))) {
            return OWNER_GONE;
        }
        return finished && finishedFor.compareTo(fetchedWithin) >= 0 ? UNFETCHED : KEEP;
    }
}
