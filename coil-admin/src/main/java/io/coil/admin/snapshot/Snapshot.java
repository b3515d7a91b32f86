package io.coil.admin.snapshot;

import io.coil.core.net.Address;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that is shown, as it was at one moment. Never changed, only replaced.
 *
 * @param built when this image was made, wall clock; the age of what is shown is {@link
 *     Current#age}
 * @param pools by name, and so are the others
 * @param blocks in the order of pool and index
 * @param runs newest first
 * @param pods who shows an address in a pool's range; finished pods do not count
 * @param findings those that need a decision first, the worst first
 */
public record Snapshot(
        Instant built,
        Totals totals,
        Map<String, PoolView> pools,
        Map<String, NodeView> nodes,
        Map<String, BlockView> blocks,
        List<RequestView> requests,
        Map<String, RunView> runs,
        Map<Address, Observed.Pod> pods,
        List<Finding> findings) {
    static final Comparator<Finding> WORST_FIRST =
            Comparator.comparing((Finding f) -> !f.decision())
                    .thenComparing(Finding::tone, Comparator.reverseOrder())
                    .thenComparing(Finding::rule)
                    .thenComparing(Finding::name);

    public Optional<PoolView> pool(String name) {
        return Optional.ofNullable(pools.get(name));
    }

    public Optional<NodeView> node(String name) {
        return Optional.ofNullable(nodes.get(name));
    }

    public Optional<BlockView> block(String name) {
        return Optional.ofNullable(blocks.get(name));
    }

    public Optional<RunView> run(String name) {
        return Optional.ofNullable(runs.get(name));
    }

    /** The pods that show one of these addresses; an address of a pair is enough. */
    public Optional<Observed.Pod> podAt(List<Address> addresses) {
        for (Address address : addresses) {
            Observed.Pod pod = pods.get(address);
            if (pod != null) {
                return Optional.of(pod);
            }
        }
        return Optional.empty();
    }

    public List<Finding> decisions() {
        return findings.stream().filter(Finding::decision).toList();
    }

    public List<Finding> handled() {
        return findings.stream().filter(f -> !f.decision()).toList();
    }
}
