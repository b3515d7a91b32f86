package io.coil.admin.actuate;

import io.coil.admin.snapshot.BlockView;
import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.SnapshotKeeper;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** {@code /actuator/blocks}: blocks by pool, as they are now. */
@Endpoint(id = "blocks")
final class BlocksEndpoint {
    private final SnapshotKeeper keeper;

    BlocksEndpoint(SnapshotKeeper keeper) {
        this.keeper = keeper;
    }

    /** All of it; {@code asOf} null: nothing has been read yet. */
    record Descriptor(@Nullable Instant asOf, Map<String, List<Block>> pools) {}

    /** One block. */
    record Block(
            String name,
            @Nullable String node,
            String state,
            long used,
            BigInteger capacity,
            @Nullable Instant emptySince) {}

    @ReadOperation
    Descriptor blocks() {
        return keeper.current()
                .map(BlocksEndpoint::descriptor)
                .orElseGet(() -> new Descriptor(null, Map.of()));
    }

    private static Descriptor descriptor(Current current) {
        Map<String, List<Block>> pools = new TreeMap<>();
        current.snapshot()
                .pools()
                .forEach(
                        (name, pool) ->
                                pools.put(
                                        name,
                                        pool.blocks().stream()
                                                .map(BlocksEndpoint::block)
                                                .toList()));
        return new Descriptor(current.asOf(), pools);
    }

    private static Block block(BlockView block) {
        return new Block(
                block.name(),
                block.node(),
                block.state().label(),
                block.used(),
                block.capacity(),
                block.emptySince());
    }
}
