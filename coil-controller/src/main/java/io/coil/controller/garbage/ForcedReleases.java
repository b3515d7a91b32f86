package io.coil.controller.garbage;

import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenBlock;
import io.coil.controller.view.SeenNode;
import io.coil.controller.work.FinalizerOff;
import io.coil.controller.work.KeyedWork;
import io.coil.core.garbage.ForcedRelease;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.events.Events;
import io.coil.kubernetes.events.Subject;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.Meta;
import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.Optional;

/**
 * Somebody deleted a block whose node's machine is dead while its Node object stays: its finalizer
 * goes if the Node is marked as out of service, or if an operator forces it and the Node has not
 * been Ready for the grace. Key: the block's name.
 */
public final class ForcedReleases implements KeyedWork.Look<String> {
    private static final Logger LOG = LoggerFactory.getLogger(ForcedReleases.class);
    private static final Logger AUDIT = LoggerFactory.getLogger("io.coil.audit");

    private final KubeApi api;
    private final ClusterView view;
    private final NodeStates nodes;
    private final Duration grace;
    private final Events events;
    private final MeterRegistry meters;

    public ForcedReleases(
            KubeApi api,
            ClusterView view,
            NodeStates nodes,
            Duration grace,
            Events events,
            MeterRegistry meters) {
        this.api = api;
        this.view = view;
        this.nodes = nodes;
        this.grace = grace;
        this.events = events;
        this.meters = meters;
    }

    /** Whether there is anything to look at, as far as the watches show. */
    public static boolean concerns(@Nullable SeenBlock block, @Nullable SeenNode node) {
        return block != null
                && block.beingDeleted()
                && block.guarded()
                && (block.force() != null || (node != null && node.outOfService()));
    }

    @Override
    public @Nullable Duration at(String name) {
        SeenBlock seen = view.block(name);
        String node = seen == null ? null : seen.node();
        if (node == null || !concerns(seen, view.node(node))) {
            return null;
        }
        Optional<AddressBlock> read = api.get(Kinds.BLOCKS, null, name);
        Optional<SeenNode> live = api.get(Kinds.NODES, null, node).map(SeenNode::of);
        if (read.isEmpty() || live.isEmpty()) {
            return null; // gone, or an orphan
        }
        SeenBlock block = SeenBlock.of(read.get());
        if (!block.guarded() || !node.equals(block.node())) {
            return null;
        }
        nodes.seen(node, live.get());
        return switch (ForcedRelease.decide(
                block.uid(),
                block.beingDeleted(),
                block.force(),
                live.get().outOfService(),
                nodes.notReadyFor(node),
                grace)) {
            case ForcedRelease.Release(String reason) -> {
                release(read.get(), node, reason);
                yield null;
            }
            case ForcedRelease.Wait(Duration remaining) -> remaining;
            case ForcedRelease.Refuse(String reason) -> {
                refuse(read.get(), node, reason);
                yield null;
            }
        };
    }

    private void release(AddressBlock block, String node, String reason) {
        FinalizerOff.of(api, Kinds.BLOCKS, block);
        String name = Meta.name(block.metadata());
        AUDIT.atWarn()
                .addKeyValue("block", name)
                .addKeyValue("uid", Meta.uid(block.metadata()))
                .addKeyValue("node", node)
                .addKeyValue("reason", reason)
                .log("block released by force");
        meters.counter("coil.controller.released.by.force").increment();
        events.warning(
                Subject.of(block),
                "ReleasedByForce",
                "released although node %s did not give it back: %s".formatted(node, reason));
        events.warning(
                Subject.node(node),
                "ReleasedByForce",
                "block %s was taken from this node: %s".formatted(name, reason));
    }

    private void refuse(AddressBlock block, String node, String why) {
        LOG.atInfo()
                .addKeyValue("block", Meta.name(block.metadata()))
                .addKeyValue("node", node)
                .addKeyValue("why", why)
                .log("block is not released by force");
        events.warning(Subject.of(block), "NotReleased", "not released by force: " + why);
    }
}
