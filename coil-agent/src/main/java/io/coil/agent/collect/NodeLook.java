package io.coil.agent.collect;

import io.coil.agent.AgentSettings;
import io.coil.agent.hold.SharedHoldings;
import io.coil.agent.kernel.Kernel;
import io.coil.agent.kernel.PodLink;
import io.coil.agent.pool.PoolDirectory;
import io.coil.core.holdings.Assignment;
import io.coil.core.holdings.BlockIdentity;
import io.coil.core.holdings.BlockState;
import io.coil.core.holdings.BlockView;
import io.coil.core.holdings.NodeHoldings;
import io.coil.core.holdings.Surplus;
import io.coil.core.net.Cidr;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Looks at this node, kernel and record, and says what is garbage by which rule, on what evidence.
 * Changes nothing.
 */
public final class NodeLook {
    private final Items items;
    private final Duration grace;
    private final Kernel kernel;
    private final Timeline time;
    private final SharedHoldings holdings;
    private final PoolDirectory pools;
    private final ContainerLook containers;

    /** Looks at nothing before it is asked to. */
    public NodeLook(
            AgentSettings settings,
            Kernel kernel,
            Timeline time,
            SharedHoldings holdings,
            PoolDirectory pools) {
        this.items = new Items(settings.nodeName());
        this.grace = settings.grace();
        this.kernel = kernel;
        this.time = time;
        this.holdings = holdings;
        this.pools = pools;
        this.containers = new ContainerLook(items, grace);
    }

    List<Finding> look() {
        long began = time.nanos();
        List<PodLink> links = kernel.links();
        Set<Cidr> exported = kernel.exported();
        List<Assignment> assignments = holdings.with(NodeHoldings::assignments);
        List<Finding> findings = new ArrayList<>(containers.look(assignments, links, began));
        surplus(findings);
        routes(findings, exported);
        return findings;
    }

    /** How soon a second look could find something ripe; null if nothing waits for one. */
    @Nullable Duration nextLook(List<Finding> findings) {
        boolean waiting =
                findings.stream()
                        .anyMatch(f -> !f.ripe() && f.act() instanceof Finding.Act.FreeAddress);
        return waiting ? grace : null;
    }

    private void surplus(List<Finding> findings) {
        long now = time.nanos();
        Surplus surplus = holdings.with(h -> h.surplus(pools::terms, now));
        Set<String> due = new HashSet<>();
        for (Surplus.Due one : surplus.due()) {
            BlockIdentity id = one.block().id();
            due.add(id.name());
            findings.add(
                    Finding.ripe(
                            items.block(one.block(), one.evidence()),
                            new Finding.Act.ReturnBlock(id)));
        }
        for (BlockView block : blocks()) {
            if (block.empty() && !due.contains(block.id().name()) && waits(block)) {
                findings.add(
                        new Finding(
                                items.block(block, emptyFor(block)),
                                new Finding.Act.ReturnBlock(block.id()),
                                false,
                                "it is within its linger or reuse delay, or a pod waits for its pool"));
            }
        }
    }

    private static String emptyFor(BlockView block) {
        return "empty for %d s".formatted(Duration.ofNanos(block.emptyForNanos()).toSeconds());
    }

    /** Spares, reserved blocks and those on their way back are no findings. */
    private static boolean waits(BlockView block) {
        return !block.spare() && !block.id().reserved() && stays(block);
    }

    private static boolean stays(BlockView block) {
        return block.state() == BlockState.SERVING || block.state() == BlockState.DRAINING;
    }

    private void routes(List<Finding> findings, Set<Cidr> exported) {
        Set<Cidr> wanted = new HashSet<>();
        for (BlockIdentity block : holdings.with(h -> h.held().identities())) {
            wanted.addAll(block.range().ranges());
        }
        for (Cidr route : exported) {
            if (!wanted.contains(route)) {
                findings.add(
                        Finding.ripe(
                                items.route(
                                        route,
                                        "the route is exported, and this node holds no such block"),
                                new Finding.Act.WithdrawRoute(route)));
            }
        }
    }

    /**
     * Held blocks of which a route is not exported, as it should be while they give or are used.
     */
    List<BlockIdentity> withoutRoute() {
        Set<Cidr> exported = kernel.exported();
        return blocks().stream()
                .filter(b -> b.state() == BlockState.SERVING || (stays(b) && !b.empty()))
                .map(BlockView::id)
                .filter(b -> !exported.containsAll(b.range().ranges()))
                .toList();
    }

    private List<BlockView> blocks() {
        long now = time.nanos();
        return holdings.with(h -> h.held().views(pools::terms, now));
    }
}
