package io.coil.admin.rest;

import io.coil.admin.history.BlockTerm;
import io.coil.admin.history.Freed;
import io.coil.admin.history.Holding;
import io.coil.admin.history.Noted;
import io.coil.admin.history.PoolUse;
import io.coil.admin.history.Watched;
import io.swagger.v3.oas.annotations.media.Schema;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;

/** What was, as it is sent. What is said to have happened "at" may have, since "after". */
final class PastJson {
    private PastJson() {}

    /** {@code caller} null: somebody, through the Kubernetes API. */
    record Entry(
            Instant at,
            @Nullable String caller,
            String action,
            String kind,
            String name,
            String reason,
            String result,
            String detail,
            String request) {

        static Entry of(Noted noted) {
            return new Entry(
                    noted.at(),
                    noted.caller().isEmpty() ? null : noted.caller(),
                    noted.action(),
                    noted.kind(),
                    noted.name(),
                    noted.reason(),
                    noted.result(),
                    noted.detail(),
                    noted.request());
        }
    }

    /** {@code endedAt} null: it has it. */
    @Schema(name = "PastHolding")
    record Held(
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

        static Held of(Holding h) {
            return new Held(
                    h.address(),
                    h.namespace(),
                    h.pod(),
                    h.podUid(),
                    h.node(),
                    h.block(),
                    h.beganAfter(),
                    h.beganAt(),
                    h.endedAfter(),
                    h.endedAt());
        }
    }

    /** {@code certain} false: it may have had it. */
    @Schema(name = "PastHolder")
    record Holder(boolean certain, Held holding) {}

    /**
     * Who had an address at a time.
     *
     * @param since from when on anybody has watched; null: not yet
     * @param unwatched a time around the one asked for in which nobody watched; null: there was
     *     none
     */
    record HoldersAt(
            String address,
            Instant at,
            List<Holder> holders,
            @Nullable Instant since,
            @Nullable Watched unwatched) {}

    /** Everybody who had an address, newest first, and the collections that freed it. */
    record HistoryOfAddress(String address, List<Held> holders, List<Freed> freed) {}

    record AddressesOfPod(List<Held> items) {}

    /** Blocks from grant to end, newest first. */
    record HistoryOfBlocks(List<BlockTerm> items) {}

    /** One for each day that was watched, oldest first. */
    record HistoryOfPool(String pool, List<Day> days) {}

    record Day(
            LocalDate day,
            int blocks,
            int blocksPeak,
            Instant peakAt,
            String blocksTotal,
            long addresses,
            long addressesPeak) {

        static Day of(PoolUse use) {
            return new Day(
                    use.day(),
                    use.blocks(),
                    use.blocksPeak(),
                    use.peakAt(),
                    use.blocksTotal(),
                    use.addresses(),
                    use.addressesPeak());
        }
    }
}
