package io.coil.core.pool;

import io.coil.core.pool.PoolRules.ExistingBlock;
import io.coil.core.pool.PoolRules.NodeAddress;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What is allowed in a pool but worth a word: sentences for the person who applies it. */
public final class PoolWarnings {
    private PoolWarnings() {}

    /** For a new pool. */
    public static List<String> onCreate(
            PoolText pool, Collection<NodeAddress> nodes, Collection<ExistingBlock> blocks) {
        List<String> warnings = new ArrayList<>(ofEntries(pool, 0, nodes));
        earlier(pool.name(), blocks).ifPresent(warnings::add);
        return List.copyOf(warnings);
    }

    /** For an update that adds entries; what was there before has been warned of. */
    public static List<String> onUpdate(
            PoolText old, PoolText updated, Collection<NodeAddress> nodes) {
        return updated.subnets().size() > old.subnets().size()
                ? ofEntries(updated, old.subnets().size(), nodes)
                : List.of();
    }

    private static List<String> ofEntries(PoolText text, int from, Collection<NodeAddress> nodes) {
        if (!(text.read() instanceof PoolReading.Understood(PoolSpec pool))) {
            return List.of();
        }
        List<String> warnings = new ArrayList<>();
        indices(pool).ifPresent(warnings::add);
        nodes(pool, pool.subnets().subList(from, pool.subnets().size()), nodes)
                .ifPresent(warnings::add);
        return warnings;
    }

    private static Optional<String> indices(PoolSpec pool) {
        BigInteger blocks = pool.blocks();
        return blocks.compareTo(BigInteger.valueOf(PoolSpec.INDEX_LIMIT)) <= 0
                ? Optional.empty()
                : Optional.of(
                        "pool %s has %d blocks, but at most 2^31 (%d) of them can be used: the index of a block has 31 bits"
                                .formatted(pool.name(), blocks, PoolSpec.INDEX_LIMIT));
    }

    /** One sentence, however many nodes: the API server cuts long warnings off. */
    private static Optional<String> nodes(
            PoolSpec pool, List<Subnet> subnets, Collection<NodeAddress> nodes) {
        List<NodeAddress> inside =
                nodes.stream()
                        .filter(n -> subnets.stream().anyMatch(s -> holds(s, n)))
                        .sorted(Comparator.comparing(NodeAddress::node))
                        .toList();
        return inside.stream()
                .findFirst()
                .map(
                        first ->
                                "pool %s contains %s, an address of the node %s%s: no pod may get it"
                                        .formatted(
                                                pool.name(),
                                                first.address(),
                                                first.node(),
                                                more(inside.size())));
    }

    private static Optional<String> earlier(String pool, Collection<ExistingBlock> blocks) {
        List<ExistingBlock> left =
                blocks.stream()
                        .filter(b -> b.pool().equals(pool))
                        .sorted(Comparator.comparing(ExistingBlock::name))
                        .toList();
        return left.stream()
                .findFirst()
                .map(
                        first ->
                                "of an earlier pool %s the block %s (%s)%s is left: its addresses are given again only when it is gone"
                                        .formatted(
                                                pool,
                                                first.name(),
                                                first.range(),
                                                more(left.size())));
    }

    private static boolean holds(Subnet subnet, NodeAddress node) {
        return subnet.ranges().stream().anyMatch(range -> range.contains(node.address()));
    }

    private static String more(int all) {
        return all == 1 ? "" : " and %d more".formatted(all - 1);
    }
}
