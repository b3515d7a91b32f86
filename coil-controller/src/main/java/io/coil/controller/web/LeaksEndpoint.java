package io.coil.controller.web;

import io.coil.controller.Controller;
import io.coil.controller.view.ClusterView;
import io.coil.controller.view.LeakCandidates;
import io.coil.controller.view.SeenBlock;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.stereotype.Component;

import java.util.Comparator;
import java.util.List;

/** {@code /actuator/leaks}: blocks that look like leaks, as this replica sees them. */
@Component
@Endpoint(id = "leaks")
public final class LeaksEndpoint {
    private final Controller controller;

    public LeaksEndpoint(Controller controller) {
        this.controller = controller;
    }

    /** {@code outOfSightSeconds}: 0 while the API is seen. */
    record Descriptor(boolean leading, long outOfSightSeconds, List<Leak> leaks) {}

    /** One block; {@code nodeExists}: whether its node's agent decides, or the controller. */
    record Leak(String block, @Nullable String pool, @Nullable String node, boolean nodeExists) {}

    @ReadOperation
    public Descriptor leaks() {
        ClusterView view = controller.view();
        return new Descriptor(
                controller.isGranting(),
                view.blindFor().toSeconds(),
                view.blocks().stream()
                        .filter(block -> LeakCandidates.isOne(view, block))
                        .map(block -> leak(view, block))
                        .sorted(Comparator.comparing(Leak::block))
                        .toList());
    }

    private static Leak leak(ClusterView view, SeenBlock block) {
        String node = block.node();
        return new Leak(block.name(), block.pool(), node, node != null && view.node(node) != null);
    }
}
