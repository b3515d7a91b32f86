package io.coil.sandbox.check;

import io.coil.agent.kernel.PodLink;
import io.coil.core.net.Address;
import io.coil.core.net.Cidr;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The invariants of Coil that can be read off the API and the machines, by their numbers. Each
 * violation is a sentence; none is what a test wants.
 */
public final class Invariants {
    private final World world;
    private final List<World.Block> blocks;
    private final List<String> violations = new ArrayList<>();

    private Invariants(World world) {
        this.world = world;
        this.blocks = world.ranges();
    }

    /** What must be true at any time. */
    public static List<String> violations(World world) {
        Invariants check = new Invariants(world);
        check.oneOwner();
        check.nameIsIndex();
        check.onlyTheOwner();
        check.oneRequest();
        return List.copyOf(check.violations);
    }

    /** What must be true besides when nothing has happened for longer than every grace. */
    public static List<String> violationsWhenQuiet(World world) {
        Invariants check = new Invariants(world);
        check.oneOwner();
        check.nameIsIndex();
        check.onlyTheOwner();
        check.oneRequest();
        check.nothingLeaks();
        check.routesAreBlocks();
        return List.copyOf(check.violations);
    }

    /** 1: one owner per address. */
    private void oneOwner() {
        Map<Address, String> owners = new HashMap<>();
        world.machines()
                .forEach(
                        (node, machine) ->
                                machine.links().forEach(link -> claim(owners, node, link)));
        for (int i = 0; i < blocks.size(); i++) {
            for (World.Block other : blocks.subList(i + 1, blocks.size())) {
                if (blocks.get(i).overlaps(other)) {
                    violate(
                            1,
                            "blocks %s and %s overlap"
                                    .formatted(blocks.get(i).name(), other.name()));
                }
            }
        }
    }

    private void claim(Map<Address, String> owners, String node, PodLink link) {
        String owner = node + "/" + link.key();
        for (Address address : link.addresses()) {
            String before = owners.put(address, owner);
            if (before != null) {
                violate(1, "%s is held by %s and %s".formatted(address, before, owner));
            }
            boolean inside =
                    blocks.stream()
                            .anyMatch(b -> node.equals(b.object().node()) && b.contains(address));
            if (!inside) {
                violate(1, "%s of %s lies in no block of its node".formatted(address, owner));
            }
        }
    }

    /** 2: a block's name is its index. */
    private void nameIsIndex() {
        for (World.Block block : blocks) {
            AddressBlock object = block.object();
            String expected = object.pool() + "-" + object.index();
            if (!expected.equals(block.name())) {
                violate(
                        2,
                        "block %s is index %d of %s"
                                .formatted(block.name(), object.index(), object.pool()));
            }
        }
    }

    /** 3: only the owner gives back. */
    private void onlyTheOwner() {
        world.givenBack().forEach(sentence -> violate(3, sentence));
    }

    /** 4: one request, at most one block; one open request per node and pool. */
    private void oneRequest() {
        Map<String, String> blockOfRequest = new HashMap<>();
        for (World.Block block : blocks) {
            String request = block.object().request();
            if (request != null) {
                String before = blockOfRequest.put(request, block.name());
                if (before != null) {
                    violate(
                            4,
                            "request %s has blocks %s and %s"
                                    .formatted(request, before, block.name()));
                }
            }
        }
        Set<List<String>> open = new HashSet<>();
        for (BlockRequest request : world.requests()) {
            List<String> who = List.of(request.spec().nodeName(), request.spec().poolName());
            if (request.open() && !open.add(who)) {
                violate(
                        4,
                        "two open requests of %s for pool %s"
                                .formatted(who.getFirst(), who.getLast()));
            }
        }
    }

    /** 5: nothing leaks. */
    private void nothingLeaks() {
        Map<String, Integer> spares = new HashMap<>();
        for (AddressPool pool : world.pools()) {
            String spare = Meta.annotation(pool.metadata(), Names.SPARE_BLOCKS);
            spares.put(Meta.name(pool.metadata()), spare == null ? 0 : Integer.parseInt(spare));
        }
        Map<List<String>, Integer> empty = new HashMap<>();
        for (World.Block block : blocks) {
            String node = block.object().node();
            String pool = block.object().pool();
            if (node == null || pool == null || block.object().reserved()) {
                continue;
            }
            World.Machine machine = world.machines().get(node);
            if (machine != null && machine.uses(block)) {
                continue;
            }
            int number = empty.merge(List.of(node, pool), 1, Integer::sum);
            if (!world.nodes().contains(node)) {
                violate(
                        5,
                        "block %s belongs to %s, which does not exist"
                                .formatted(block.name(), node));
            } else if (number > spares.getOrDefault(pool, 0)) {
                violate(5, "nobody on %s uses block %s".formatted(node, block.name()));
            }
        }
        world.machines()
                .forEach(
                        (node, machine) ->
                                machine.links().stream()
                                        .filter(
                                                l ->
                                                        !machine.live()
                                                                .contains(l.key().containerId()))
                                        .forEach(
                                                l ->
                                                        violate(
                                                                5,
                                                                "%s holds %s on %s, but is dead"
                                                                        .formatted(
                                                                                l.key(),
                                                                                l.addresses(),
                                                                                node))));
        for (BlockRequest request : world.requests()) {
            violate(5, "request %s is left".formatted(Meta.name(request.metadata())));
        }
    }

    /** 7: exported routes are exactly the node's blocks. */
    private void routesAreBlocks() {
        world.machines()
                .forEach(
                        (node, machine) -> {
                            Set<Cidr> expected =
                                    blocks.stream()
                                            .filter(b -> node.equals(b.object().node()))
                                            .flatMap(b -> b.ranges().stream())
                                            .collect(Collectors.toCollection(TreeSet::new));
                            if (!expected.equals(new TreeSet<>(machine.exported()))) {
                                violate(
                                        7,
                                        "%s exports %s, its blocks are %s"
                                                .formatted(node, machine.exported(), expected));
                            }
                        });
    }

    private void violate(int number, String sentence) {
        violations.add("invariant " + number + ": " + sentence);
    }
}
