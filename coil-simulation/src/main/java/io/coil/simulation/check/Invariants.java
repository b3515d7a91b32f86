package io.coil.simulation.check;

import io.coil.core.net.Address;
import io.coil.core.net.Cidr;
import io.coil.core.pool.BlockRange;
import io.coil.simulation.kernel.Machine;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What must hold after every step: invariants 1 and 7. */
public final class Invariants {
    private final Facts facts;
    private final Collection<Machine> machines;
    private final Findings findings;
    private boolean kernelChanged;

    /** {@code machines} may grow. */
    public Invariants(Facts facts, Collection<Machine> machines, Findings findings) {
        this.facts = facts;
        this.machines = machines;
        this.findings = findings;
    }

    /** A kernel or a container has changed in this step. */
    public void kernelChanged() {
        kernelChanged = true;
    }

    /** Judges the state, if this step has changed it. */
    public void afterStep() {
        boolean routes = kernelChanged;
        kernelChanged = false;
        if (!facts.takeChanged() && !routes) {
            return;
        }
        if (facts.takeBlocksChanged() || routes) {
            noOverlap();
        }
        if (routes) {
            noRouteTwice();
        }
        eachContainer();
    }

    /**
     * No two blocks overlap, but for one that was made when its pool had gone already: the server
     * cannot refuse it, and so nobody may use or export it.
     */
    private void noOverlap() {
        List<Facts.Block> seen = new ArrayList<>();
        for (Facts.Block block : facts.blocks()) {
            BlockRange range = block.range();
            if (range == null || (block.late() && !isExported(block, range))) {
                continue;
            }
            for (Facts.Block other : seen) {
                if (block.overlaps(other)) {
                    findings.violated(
                            1,
                            "blocks %s (%s) and %s (%s) overlap"
                                    .formatted(other.name(), other.range(), block.name(), range));
                }
            }
            seen.add(block);
        }
    }

    private boolean isExported(Facts.Block block, BlockRange range) {
        return machines.stream()
                .filter(m -> m.name().equals(block.node()))
                .flatMap(m -> m.routes().stream())
                .anyMatch(range.ranges()::contains);
    }

    private void noRouteTwice() {
        Map<Cidr, Machine> seen = new TreeMap<>();
        for (Machine machine : machines) {
            for (Cidr route : machine.running() ? machine.routes() : List.<Cidr>of()) {
                for (Map.Entry<Cidr, Machine> other : seen.entrySet()) {
                    if (other.getValue() != machine && other.getKey().overlaps(route)) {
                        findings.violated(
                                7,
                                "%s exports %s and %s exports %s"
                                        .formatted(
                                                other.getValue().name(),
                                                other.getKey(),
                                                machine.name(),
                                                route));
                    }
                }
                seen.putIfAbsent(route, machine);
            }
        }
    }

    private void eachContainer() {
        Map<Address, String> owners = new TreeMap<>();
        for (Machine machine : machines) {
            for (Machine.Live container : machine.live()) {
                for (Address address : container.addresses()) {
                    String other = owners.put(address, container.id());
                    if (other != null) {
                        findings.violated(
                                1, "%s and %s have %s".formatted(other, container.id(), address));
                    }
                    inBlock(machine, container, address);
                }
            }
        }
    }

    private void inBlock(Machine machine, Machine.Live container, Address address) {
        Facts.Block block = blockOf(machine.name(), address);
        if (block == null || block.range() == null) {
            findings.violated(
                    1,
                    "%s of live container %s is in no block of node %s"
                            .formatted(address, container.id(), machine.name()));
            return;
        }
        if (block.poolUid() != null && !facts.hasPool(block.poolUid())) {
            findings.violated(
                    1,
                    "the pool of block %s, where container %s lives, has gone"
                            .formatted(block.name(), container.id()));
        }
        for (Cidr range : block.range().ranges()) {
            if (!machine.routes().contains(range)) {
                findings.violated(
                        7,
                        "%s, where container %s lives, does not export %s"
                                .formatted(machine.name(), container.id(), range));
            }
        }
    }

    private Facts.@Nullable Block blockOf(String node, Address address) {
        Facts.Block late = null;
        for (Facts.Block block : facts.blocks()) {
            if (node.equals(block.node())
                    && block.range() != null
                    && block.range().contains(address)) {
                if (!block.late()) {
                    return block;
                }
                late = block;
            }
        }
        return late;
    }
}
