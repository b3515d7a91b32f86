package io.coil.agent;

import io.coil.agent.kernel.PodLink;
import io.coil.core.net.Address;
import io.coil.core.net.Cidr;
import io.coil.core.pool.BlockRange;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The invariants as they can be read off the API, the kernels and the agents at a quiet moment, by
 * their numbers.
 */
final class Truth {
    private final Cluster cluster;
    private final List<AddressBlock> blocks;
    private final List<String> violations = new ArrayList<>();

    Truth(Cluster cluster) {
        this.cluster = cluster;
        this.blocks = cluster.blocks();
    }

    List<String> violations() {
        blocksAreApartAndNamedByIndex();
        containersHaveTheirOwnAddresses();
        recordsAreTrue();
        oneRequestEach();
        routesAreBlocks();
        return violations;
    }

    private static BlockRange range(AddressBlock block) {
        return BlockRange.parse(block.ipv4(), block.ipv6());
    }

    private void blocksAreApartAndNamedByIndex() {
        for (AddressBlock block : blocks) {
            String name = Meta.name(block.metadata());
            for (AddressBlock other : blocks) {
                if (!name.equals(Meta.name(other.metadata()))
                        && range(block).overlaps(range(other))) {
                    violations.add("1: " + name + " overlaps " + Meta.name(other.metadata()));
                }
            }
            if (!name.equals(block.pool() + "-" + block.index())) {
                violations.add("2: %s is index %d".formatted(name, block.index()));
            }
        }
    }

    private void containersHaveTheirOwnAddresses() {
        Map<Address, String> owners = new HashMap<>();
        for (Machine machine : cluster.machines.values()) {
            for (PodLink link : machine.kernel.links()) {
                for (Address address : link.addresses()) {
                    String owner = machine.name + "/" + link.key();
                    String before = owners.put(address, owner);
                    if (before != null) {
                        violations.add("1: %s is %s's and %s's".formatted(address, before, owner));
                    }
                    if (blocks.stream()
                            .noneMatch(
                                    b ->
                                            machine.name.equals(b.node())
                                                    && range(b).contains(address))) {
                        violations.add(
                                "1: %s of %s is in no block of its node".formatted(address, owner));
                    }
                }
            }
        }
    }

    private void recordsAreTrue() {
        for (Machine machine : cluster.machines.values()) {
            Set<String> linked = new TreeSet<>();
            machine.kernel
                    .links()
                    .forEach(l -> l.addresses().forEach(a -> linked.add(a.toString())));
            if (!linked.equals(new TreeSet<>(machine.inUse()))) {
                violations.add(
                        "5: %s has %s in use, its containers have %s"
                                .formatted(machine.name, machine.inUse(), linked));
            }
        }
    }

    private void oneRequestEach() {
        Set<String> seen = new HashSet<>();
        for (BlockRequest request : cluster.api.list(Kinds.REQUESTS, Selection.ALL).items()) {
            if (!seen.add(request.spec().nodeName() + " " + request.spec().poolName())) {
                violations.add("4: two requests of " + request.spec());
            }
        }
    }

    private void routesAreBlocks() {
        for (Machine machine : cluster.machines.values()) {
            Set<Cidr> wanted = new TreeSet<>();
            blocks.stream()
                    .filter(b -> machine.name.equals(b.node()))
                    .forEach(b -> wanted.addAll(range(b).ranges()));
            if (!wanted.equals(new TreeSet<>(machine.kernel.exported()))) {
                violations.add(
                        "7: %s exports %s, its blocks are %s"
                                .formatted(machine.name, machine.kernel.exported(), wanted));
            }
        }
    }
}
