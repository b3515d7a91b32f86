package io.coil.controller.web;

import io.coil.controller.Controller;
import io.coil.controller.view.SeenBlock;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.stereotype.Component;

import java.util.Comparator;
import java.util.List;

/** {@code /actuator/blocks}: the blocks as this replica sees them. */
@Component
@Endpoint(id = "blocks")
public final class BlocksEndpoint {
    private final Controller controller;

    public BlocksEndpoint(Controller controller) {
        this.controller = controller;
    }

    /** {@code leading}: whether this replica grants; {@code outOfSightSeconds}: 0 while it sees. */
    record Descriptor(boolean leading, long outOfSightSeconds, List<Block> blocks) {}

    record Block(
            String name,
            @Nullable String pool,
            @Nullable String node,
            @Nullable String range,
            boolean reserved,
            boolean beingDeleted) {

        static Block of(SeenBlock block) {
            return new Block(
                    block.name(),
                    block.pool(),
                    block.node(),
                    block.range() == null ? null : block.range().toString(),
                    block.reserved(),
                    block.beingDeleted());
        }
    }

    @ReadOperation
    public Descriptor blocks() {
        return new Descriptor(
                controller.isGranting(),
                controller.view().blindFor().toSeconds(),
                controller.view().blocks().stream()
                        .map(Block::of)
                        .sorted(Comparator.comparing(Block::name))
                        .toList());
    }
}
