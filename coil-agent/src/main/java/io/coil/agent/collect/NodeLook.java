package io.coil.agent.collect;

import io.coil.agent.AgentSettings;
import io.coil.agent.hold.SharedHoldings;
import io.coil.agent.kernel.Kernel;
import io.coil.agent.kernel.PodLink;
import io.coil.agent.pool.PoolDirectory;
import io.coil.core.garbage.Rule;
import io.coil.core.holdings.Assignment;
import io.coil.core.holdings.BlockIdentity;
import io.coil.core.holdings.BlockState;
import io.coil.core.holdings.BlockView;
import io.coil.core.holdings.ContainerKey;
import io.coil.core.holdings.Surplus;
import io.coil.core.net.Cidr;
import io.coil.kubernetes.resource.RunItem;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Looks at this node, kernel and record, and says what is garbage by which rule, on what evidence.
 * Changes nothing.
 */
final class NodeLook {
    private final AgentSettings settings;
    private final Kernel kernel;
    private final Timeline time;
    private final SharedHoldings holdings;
    private final PoolDirectory pools;
    private final LinkLooks looks = new LinkLooks();

    NodeLook(
            AgentSettings settings,
            Kernel kernel,
            Timeline time,
            SharedHoldings holdings,
            PoolDirectory pools) {
        this.settings = settings;
        this.kernel = kernel;
        this.time = time;
        this.holdings = holdings;
        this.pools = pools;
    }

    List<Finding> look() {
        List<Finding> findings = new ArrayList<>();
        long began = time.nanos();
        List<PodLink> links = kernel.links();
        Set<Cidr> exported = kernel.exported();
        List<Assignment> assignments = holdings.with(h -> h.assignments());
        links(findings, links, assignments, began);
        surplus(findings);
        routes(findings, exported);
        return findings;
    }

    /** How soon a second look could find something ripe; null if nothing waits for one. */
    @Nullable Duration nextLook(List<Finding> findings) {
        boolean waiting =
                findings.stream()
                        .anyMatch(f -> !f.ripe() && f.act() instanceof Finding.Act.FreeAddress);
        return waiting ? settings.grace() : null;
    }

    private void links(
            List<Finding> findings, List<PodLink> links, List<Assignment> assignments, long began) {
        Set<ContainerKey> linked = links.stream().map(PodLink::key).collect(Collectors.toSet());
        for (LinkLooks.Missing missing : looks.look(assignments, linked, began)) {
            findings.add(vanished(missing, assignments));
        }
        for (Assignment assignment : assignments) {
            if (assignment.homeless() && linked.contains(assignment.key())) {
                findings.add(foreign(assignment));
            }
        }
    }

    private Finding foreign(Assignment homeless) {
        return Finding.ripe(
                item(
                        Rule.FOREIGN_ADDRESS,
                        "Address",
                        homeless.addresses().getFirst().toString(),
                        homeless.key().containerId(),
                        null,
                        homeless.pool(),
                        "a container has this address, and it lies in no block of this node",
                        0),
                new Finding.Act.Report());
    }

    private Finding vanished(LinkLooks.Missing missing, List<Assignment> all) {
        Assignment gone = missing.assignment();
        Assignment newer = newerSandbox(gone, all);
        Rule rule = newer == null ? Rule.VANISHED_CONTAINER : Rule.SUPERSEDED_SANDBOX;
        Duration age = Duration.ofNanos(missing.missingNanos());
        String evidence =
                newer == null
                        ? "the link of %s is missing, first seen %d s ago"
                                .formatted(gone.key(), age.toSeconds())
                        : "the link of %s is gone, and pod %s has sandbox %s now"
                                .formatted(gone.key(), gone.pod(), newer.key().containerId());
        RunItem item =
                item(
                        rule,
                        "Address",
                        gone.addresses().getFirst().toString(),
                        gone.key().containerId(),
                        gone.homeless() ? null : gone.block(),
                        gone.pool(),
                        evidence,
                        age.toSeconds());
        Finding.Act act = new Finding.Act.FreeAddress(gone.key(), gone.sinceNanos());
        boolean ripe = newer != null || age.compareTo(settings.grace()) >= 0;
        return new Finding(
                item,
                act,
                ripe,
                "it is freed when it is still missing %d s after the first look"
                        .formatted(settings.grace().toSeconds()));
    }

    private static @Nullable Assignment newerSandbox(Assignment old, List<Assignment> all) {
        if (old.pod() == null) {
            return null;
        }
        return all.stream()
                .filter(a -> old.pod().equals(a.pod()) && !a.key().equals(old.key()))
                .filter(a -> a.key().ifname().equals(old.key().ifname()) && a.attached())
                .filter(a -> a.sinceNanos() - old.sinceNanos() > 0)
                .findFirst()
                .orElse(null);
    }

    private void surplus(List<Finding> findings) {
        long now = time.nanos();
        Surplus surplus = holdings.with(h -> h.surplus(pools::terms, now));
        Set<String> due = new HashSet<>();
        for (Surplus.Due one : surplus.due()) {
            BlockView block = one.block();
            due.add(block.id().name());
            findings.add(
                    Finding.ripe(
                            surplusItem(block, one.evidence()),
                            new Finding.Act.ReturnBlock(block.id())));
        }
        for (BlockView block : holdings.with(h -> h.held().views(pools::terms, now))) {
            if (block.empty() && !due.contains(block.id().name()) && waits(block)) {
                findings.add(
                        new Finding(
                                surplusItem(
                                        block,
                                        "empty for %d s"
                                                .formatted(
                                                        Duration.ofNanos(block.emptyForNanos())
                                                                .toSeconds())),
                                new Finding.Act.ReturnBlock(block.id()),
                                false,
                                "it is within its linger or reuse delay, or a pod waits for its pool"));
            }
        }
    }

    /** Spares, reserved blocks and those on their way back are no findings. */
    private static boolean waits(BlockView block) {
        return !block.spare()
                && !block.id().reserved()
                && (block.state() == BlockState.SERVING || block.state() == BlockState.DRAINING);
    }

    private RunItem surplusItem(BlockView block, String evidence) {
        return item(
                Rule.SURPLUS_BLOCK,
                "Block",
                block.id().name(),
                block.id().uid(),
                block.id().name(),
                block.id().pool(),
                evidence,
                Duration.ofNanos(block.emptyForNanos()).toSeconds());
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
                                item(
                                        Rule.STRAY_ROUTE,
                                        "Route",
                                        route.toString(),
                                        null,
                                        null,
                                        null,
                                        "the route is exported, and this node holds no such block",
                                        0),
                                new Finding.Act.WithdrawRoute(route)));
            }
        }
    }

    /** Ranges of held blocks that are not exported, as they should be. */
    List<Cidr> missingRoutes() {
        Set<Cidr> exported = kernel.exported();
        long now = time.nanos();
        return holdings.with(h -> h.held().views(pools::terms, now)).stream()
                .filter(b -> b.state() == BlockState.SERVING || b.state() == BlockState.DRAINING)
                .flatMap(b -> b.id().range().ranges().stream())
                .filter(r -> !exported.contains(r))
                .toList();
    }

    private RunItem item(
            Rule rule,
            String kind,
            String name,
            @Nullable String uid,
            @Nullable String block,
            @Nullable String pool,
            String evidence,
            long ageSeconds) {
        return new RunItem(
                rule.text(),
                kind,
                name,
                uid,
                block,
                pool,
                settings.nodeName(),
                Objects.requireNonNull(evidence),
                ageSeconds,
                RunItem.PLANNED,
                null);
    }
}
