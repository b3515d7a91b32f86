package io.coil.admin.history;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * A pod had an address. What happened, happened between the time "after" and the time "at": that is
 * how exactly it is known.
 *
 * @param address canonical text
 * @param block that the address lies in; null if none was known
 * @param beganAfter it did not have the address yet; null: not known how long it had it already
 * @param beganAt first seen with it
 * @param endedAfter last known to have it; null while it has it
 * @param endedAt first seen without it; null while it has it
 */
public record Holding(
        String address,
        String namespace,
        String pod,
        String podUid,
        @Nullable String node,
        @Nullable String block,
        @Nullable Instant beganAfter,
        Instant beganAt,
        @Nullable Instant endedAfter,
        @Nullable Instant endedAt) {

    Holding ended(Instant after, Instant at) {
        return new Holding(
                address, namespace, pod, podUid, node, block, beganAfter, beganAt, after, at);
    }

    public boolean open() {
        return endedAt == null;
    }

    /** Whether it surely had the address at that time. */
    public boolean certainAt(Instant time) {
        return !beganAt.isAfter(time) && (endedAfter == null || !endedAfter.isBefore(time));
    }

    /** The pod as people write it. */
    public String fullName() {
        return namespace + "/" + pod;
    }
}
