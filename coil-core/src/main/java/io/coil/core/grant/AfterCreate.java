package io.coil.core.grant;

import io.coil.core.pool.BlockRange;

import org.jspecify.annotations.Nullable;

/** What follows when the block that was to be created is there already, or cannot be. */
public sealed interface AfterCreate {

    /** It is this request's: an earlier try made it. Complete the request. */
    record Complete() implements AfterCreate {}

    /** It is another's. The request fails; it never gets a second index, the agent asks anew. */
    record Fail(FailReason reason, String message) implements AfterCreate {}

    /** Another block, of a pool that overlaps, is there or about to be made. */
    static AfterCreate inTheWay(String blockName, BlockRange range, String other) {
        return new Fail(
                FailReason.INDEX_TAKEN,
                "block %s (%s) was chosen, but meets the block %s"
                        .formatted(blockName, range, other));
    }

    /**
     * @param blockRequestUid the request UID that the existing block carries; null: none
     * @param blockBeingDeleted it has a deletionTimestamp
     * @param requestUid the request that is being granted
     */
    static AfterCreate decide(
            String blockName,
            @Nullable String blockRequestUid,
            boolean blockBeingDeleted,
            String requestUid) {
        if (!requestUid.equals(blockRequestUid)) {
            return new Fail(
                    FailReason.INDEX_TAKEN,
                    "block %s exists already and is not of this request".formatted(blockName));
        }
        if (blockBeingDeleted) {
            return new Fail(
                    FailReason.INDEX_TAKEN,
                    "block %s of this request is being deleted".formatted(blockName));
        }
        return new Complete();
    }
}
