package io.coil.admin.act;

import io.coil.admin.snapshot.PoolView;
import io.coil.admin.snapshot.Snapshot;
import io.coil.core.net.Address;
import io.coil.core.net.InvalidAddressException;
import io.coil.core.pool.PoolReading;
import io.coil.core.pool.PoolRules;
import io.coil.core.pool.PoolSpec;
import io.coil.core.pool.PoolText;
import io.coil.core.pool.PoolWarnings;
import io.coil.core.pool.Violation;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a pool, or what is added to one, would be: its blocks, and what the rules of admission say
 * of it. A pure function of what was asked for and what is seen; the controllers' admission judges
 * once more, by the same rules, when it is made.
 *
 * @param blocksBefore blocks that the pool has already; zero for a new one
 * @param blocks blocks that would come
 * @param blockSize addresses of a block
 * @param addresses in the blocks that would come
 * @param first the first of the blocks that would come
 * @param last the last of them; none if they are among the first
 * @param violations why it is refused; none: it is not
 * @param warnings what is allowed, but worth a word
 */
public record PoolPreview(
        String name,
        BigInteger blocksBefore,
        BigInteger blocks,
        BigInteger blockSize,
        BigInteger addresses,
        List<Block> first,
        List<Block> last,
        List<Violation> violations,
        List<String> warnings) {
    private static final int SHOWN = 4;

    /** A block that would be; {@code ranges} of both families, separated by " + ". */
    public record Block(String name, String ranges) {}

    /** Of a pool that is not there yet. */
    static PoolPreview ofNew(PoolOrder order, Snapshot snapshot) {
        PoolText text =
                new PoolText(order.name(), order.blockSizeBits(), order.subnets(), Map.of());
        List<Violation> violations = new ArrayList<>();
        if (!order.name().matches(PoolOrder.NAME)) {
            violations.add(
                    new Violation(
                            "metadata.name",
                            "\"%s\" is no name: lower case letters, digits, - and . are allowed, the first and last a letter or digit"
                                    .formatted(order.name())));
        }
        if (snapshot.pools().containsKey(order.name())) {
            violations.add(
                    new Violation("metadata.name", "there is a pool %s".formatted(order.name())));
        }
        violations.addAll(
                PoolRules.onCreate(text, others(snapshot, order.name()), blocks(snapshot)));
        return of(
                text,
                0,
                violations,
                PoolWarnings.onCreate(text, nodes(snapshot), blocks(snapshot)));
    }

    /** Of entries that are added to a pool, at its end. */
    static PoolPreview ofGrowth(PoolView pool, List<PoolText.SubnetText> added, Snapshot snapshot) {
        PoolText old = pool.text();
        List<PoolText.SubnetText> subnets = new ArrayList<>(old.subnets());
        subnets.addAll(added);
        PoolText text = new PoolText(old.name(), old.blockSizeBits(), subnets, old.annotations());
        List<Violation> violations = new ArrayList<>();
        if (added.isEmpty()) {
            violations.add(new Violation("spec.subnets", "nothing is added"));
        }
        violations.addAll(
                PoolRules.onUpdate(old, text, others(snapshot, old.name()), blocks(snapshot)));
        return of(
                text,
                pool.spec() == null ? 0 : pool.spec().usableBlocks(),
                violations,
                PoolWarnings.onUpdate(old, text, nodes(snapshot)));
    }

    private static PoolPreview of(
            PoolText text, long before, List<Violation> violations, List<String> warnings) {
        PoolSpec spec =
                text.read() instanceof PoolReading.Understood(PoolSpec understood)
                        ? understood
                        : null;
        long after = spec == null ? before : spec.usableBlocks();
        BigInteger blocks = BigInteger.valueOf(after - before);
        int bits = spec == null ? 0 : spec.blockSizeBits();
        long firstEnd = Math.min(after, before + SHOWN);
        return new PoolPreview(
                text.name(),
                BigInteger.valueOf(before),
                blocks,
                BigInteger.ONE.shiftLeft(bits),
                blocks.shiftLeft(bits),
                spec == null ? List.of() : blocks(spec, before, firstEnd),
                spec == null ? List.of() : blocks(spec, Math.max(firstEnd, after - 1), after),
                List.copyOf(violations),
                List.copyOf(warnings));
    }

    private static List<Block> blocks(PoolSpec spec, long from, long to) {
        List<Block> blocks = new ArrayList<>();
        for (long index = from; index < to; index++) {
            blocks.add(
                    new Block(
                            PoolSpec.blockName(spec.name(), (int) index),
                            spec.blockAt((int) index).toString()));
        }
        return List.copyOf(blocks);
    }

    private static List<PoolText> others(Snapshot snapshot, String name) {
        return snapshot.pools().values().stream()
                .map(PoolView::text)
                .filter(pool -> !pool.name().equals(name))
                .toList();
    }

    private static List<PoolRules.ExistingBlock> blocks(Snapshot snapshot) {
        List<PoolRules.ExistingBlock> blocks = new ArrayList<>();
        snapshot.blocks()
                .values()
                .forEach(
                        b -> {
                            if (b.range() != null) {
                                blocks.add(
                                        new PoolRules.ExistingBlock(b.name(), b.pool(), b.range()));
                            }
                        });
        return blocks;
    }

    private static List<PoolRules.NodeAddress> nodes(Snapshot snapshot) {
        List<PoolRules.NodeAddress> addresses = new ArrayList<>();
        snapshot.nodes()
                .values()
                .forEach(
                        node ->
                                node.addresses()
                                        .forEach(text -> add(addresses, node.name(), text)));
        return addresses;
    }

    private static void add(List<PoolRules.NodeAddress> addresses, String node, String text) {
        try {
            addresses.add(new PoolRules.NodeAddress(node, Address.parse(text)));
        } catch (InvalidAddressException e) {
            // A host name in the place of an address: nothing of ours can meet it.
            return;
        }
    }

    public boolean allowed() {
        return violations.isEmpty();
    }
}
