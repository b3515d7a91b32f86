package io.coil.admin.actuate;

import io.coil.admin.snapshot.BlockView;
import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.SnapshotKeeper;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

import java.time.Instant;
import java.util.List;

/** {@code /actuator/leaks}: blocks that look like leaks, in the order of pool and index. */
@Endpoint(id = "leaks")
final class LeaksEndpoint {
    private final SnapshotKeeper keeper;

    LeaksEndpoint(SnapshotKeeper keeper) {
        this.keeper = keeper;
    }

    /** All of it; {@code asOf} null: nothing has been read yet. */
    record Descriptor(@Nullable Instant asOf, List<Leak> leaks) {}

    /** One block. */
    record Leak(
            String block,
            String pool,
            @Nullable String node,
            String state,
            @Nullable Instant emptySince) {

        static Leak of(BlockView block) {
            return new Leak(
                    block.name(),
                    block.pool(),
                    block.node(),
                    block.state().label(),
                    block.emptySince());
        }
    }

    @ReadOperation
    Descriptor leaks() {
        return keeper.current()
                .map(LeaksEndpoint::descriptor)
                .orElseGet(() -> new Descriptor(null, List.of()));
    }

    private static Descriptor descriptor(Current current) {
        return new Descriptor(
                current.asOf(),
                current.snapshot().blocks().values().stream()
                        .filter(block -> block.state().candidate())
                        .map(Leak::of)
                        .toList());
    }
}
