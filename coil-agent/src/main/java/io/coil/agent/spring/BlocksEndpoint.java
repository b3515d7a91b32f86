package io.coil.agent.spring;

import io.coil.agent.Agent;
import io.coil.core.holdings.BlockView;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.stereotype.Component;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * {@code /actuator/blocks}: what this node holds, as the agent itself sees it. No pod names:
 * metrics and probes are read by many.
 */
@Component
@Endpoint(id = "blocks")
class BlocksEndpoint {
    private final Agent agent;

    BlocksEndpoint(Agent agent) {
        this.agent = agent;
    }

    /** The node, the collection mode in force, and its blocks by name. */
    record Descriptor(String node, String collection, List<Block> blocks) {}

    /**
     * One block.
     *
     * @param capacity addresses in it, decimal
     * @param emptySeconds how long it has been empty; null while used
     */
    record Block(
            String name,
            String pool,
            String range,
            String state,
            String capacity,
            long used,
            @Nullable Long emptySeconds) {

        static Block of(BlockView view) {
            return new Block(
                    view.id().name(),
                    view.id().pool(),
                    view.id().range().toString(),
                    view.spare() ? "spare" : view.state().name().toLowerCase(Locale.ROOT),
                    view.id().range().size().toString(),
                    view.used(),
                    view.empty() ? Duration.ofNanos(view.emptyForNanos()).toSeconds() : null);
        }
    }

    @ReadOperation
    Descriptor blocks() {
        return new Descriptor(
                agent.nodeName(),
                agent.collection().text(),
                agent.blocks().stream().map(Block::of).toList());
    }
}
