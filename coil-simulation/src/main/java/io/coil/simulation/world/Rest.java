package io.coil.simulation.world;

import io.coil.agent.Agent;
import io.coil.core.holdings.Assignment;
import io.coil.core.net.Cidr;
import io.coil.core.pool.BlockRange;
import io.coil.simulation.check.Facts;
import io.coil.simulation.kernel.Machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What must be so once things have been quiet for longer than every grace. */
final class Rest {

    /** Something that is not so, by the number of its invariant. */
    record Flaw(int invariant, String what) {}

    private final World world;
    private final Facts facts;

    Rest(World world) {
        this.world = world;
        this.facts = world.ground().facts();
    }

    /** The first thing that is not as it must be. */
    Optional<Flaw> flaw() {
        List<Flaw> flaws = new ArrayList<>();
        facts.blocks().forEach(b -> block(b, flaws));
        facts.blocks().forEach(b -> left(b, flaws));
        facts.requests().forEach(r -> request(r, flaws));
        facts.pools().forEach(p -> pool(p, flaws));
        world.hosts().forEach(h -> host(h, flaws));
        return flaws.stream().findFirst();
    }

    /** Whether a pod has no container. */
    boolean anyWaits() {
        return world.hosts().stream()
                .filter(h -> h.machine().running())
                .flatMap(h -> h.kubelet().pods().stream())
                .anyMatch(p -> p.container() == null);
    }

    private Optional<Host> living(String node) {
        return world.hosts().stream()
                .filter(h -> h.name().equals(node) && h.machine().running())
                .findFirst();
    }

    private void block(Facts.Block block, List<Flaw> flaws) {
        Optional<Host> host = living(String.valueOf(block.node()));
        if (host.isEmpty()) {
            flaws.add(
                    new Flaw(
                            5,
                            "block %s of gone node %s stays"
                                    .formatted(block.name(), block.node())));
        } else if (!inUse(block, host.get().machine())) {
            flaws.add(
                    new Flaw(
                            5,
                            "block %s of %s stays, unused".formatted(block.name(), block.node())));
        }
    }

    /** What a late create has made of a pool that had gone, perhaps beside others, is gone too. */
    private void left(Facts.Block block, List<Flaw> flaws) {
        if (block.poolUid() != null && !facts.hasPool(block.poolUid())) {
            flaws.add(new Flaw(5, "block %s of a gone pool stays".formatted(block.name())));
        }
        for (Facts.Block other : facts.blocks()) {
            if (!other.name().equals(block.name()) && block.overlaps(other)) {
                flaws.add(
                        new Flaw(
                                1,
                                "blocks %s and %s overlap, and stay"
                                        .formatted(block.name(), other.name())));
            }
        }
    }

    private static boolean inUse(Facts.Block block, Machine machine) {
        BlockRange range = block.range();
        return range != null
                && machine.live().stream()
                        .flatMap(c -> c.addresses().stream())
                        .anyMatch(range::contains);
    }

    private void request(Facts.Request request, List<Flaw> flaws) {
        boolean wanted =
                living(request.node()).stream()
                        .flatMap(h -> h.kubelet().pods().stream())
                        .anyMatch(p -> p.container() == null && p.pool().equals(request.pool()));
        if (!wanted) {
            flaws.add(
                    new Flaw(
                            5,
                            "request %s stays, and nobody waits for it".formatted(request.name())));
        }
    }

    private void pool(Facts.Pool pool, List<Flaw> flaws) {
        if (pool.deleting()
                && facts.blocks().stream().noneMatch(b -> pool.name().equals(b.pool()))) {
            flaws.add(new Flaw(5, "deleted pool %s stays, without a block".formatted(pool.name())));
        }
    }

    private void host(Host host, List<Flaw> flaws) {
        Machine machine = host.machine();
        if (!machine.running()) {
            return;
        }
        Agent agent = host.agent().running();
        if (agent == null || agent.notServing() != null) {
            flaws.add(
                    new Flaw(
                            10,
                            "%s does not serve: %s"
                                    .formatted(
                                            host.agent().name(),
                                            agent == null ? "dead" : agent.notServing())));
            return;
        }
        Set<String> live = names(machine.live().stream().map(Machine.Live::id).toList());
        Set<String> links =
                names(machine.links().stream().map(l -> l.key().containerId()).toList());
        Set<String> held =
                names(agent.assignments().stream().map(a -> a.key().containerId()).toList());
        same(host, "links", links, live, flaws);
        same(host, "assignments", held, live, flaws);
        homeless(host, agent, flaws);
        routes(host, flaws);
        host.kubelet().pods().forEach(p -> served(host, p, flaws));
    }

    private static void homeless(Host host, Agent agent, List<Flaw> flaws) {
        agent.assignments().stream()
                .filter(Assignment::homeless)
                .forEach(
                        a ->
                                flaws.add(
                                        new Flaw(
                                                10,
                                                "%s holds %s in no block"
                                                        .formatted(host.name(), a.key()))));
    }

    private static Set<String> names(List<String> all) {
        return new TreeSet<>(all);
    }

    private static void same(
            Host host, String what, Set<String> are, Set<String> ought, List<Flaw> flaws) {
        if (!are.equals(ought)) {
            flaws.add(
                    new Flaw(
                            5,
                            "%s of %s are of %s, live containers are %s"
                                    .formatted(what, host.name(), are, ought)));
        }
    }

    private void routes(Host host, List<Flaw> flaws) {
        Set<Cidr> ought =
                facts.blocks().stream()
                        .filter(b -> host.name().equals(b.node()))
                        .map(Facts.Block::range)
                        .filter(Objects::nonNull)
                        .flatMap(r -> r.ranges().stream())
                        .collect(Collectors.toCollection(TreeSet::new));
        if (!host.machine().routes().equals(ought)) {
            flaws.add(
                    new Flaw(
                            7,
                            "%s exports %s, its blocks are %s"
                                    .formatted(host.name(), host.machine().routes(), ought)));
        }
    }

    private void served(Host host, Pod pod, List<Flaw> flaws) {
        if (pod.deleted()) {
            flaws.add(new Flaw(5, "pod %s is deleted and does not go".formatted(pod)));
        } else if (pod.container() == null && roomFor(host, pod)) {
            flaws.add(
                    new Flaw(
                            5,
                            "pod %s on %s waits, and there is room: %s"
                                    .formatted(pod, host.name(), pod.trouble())));
        }
    }

    /** A free block, or a free address in a block of the node. */
    private boolean roomFor(Host host, Pod pod) {
        Facts.Pool pool = facts.pool(pod.pool());
        if (pool == null || pool.deleting()) {
            return false;
        }
        int total = People.addresses(pool.name()) >> pool.bits();
        long taken = facts.blocks().stream().filter(b -> pool.name().equals(b.pool())).count();
        return taken < total || freeAddress(host, pool);
    }

    private boolean freeAddress(Host host, Facts.Pool pool) {
        return facts.blocks().stream()
                .filter(
                        b ->
                                pool.uid().equals(b.poolUid())
                                        && host.name().equals(b.node())
                                        && !b.deleting())
                .map(Facts.Block::range)
                .filter(Objects::nonNull)
                .anyMatch(r -> used(host.machine(), r) < r.capacity());
    }

    private static long used(Machine machine, BlockRange range) {
        return machine.live().stream()
                .flatMap(c -> c.addresses().stream())
                .filter(range::contains)
                .count();
    }
}
