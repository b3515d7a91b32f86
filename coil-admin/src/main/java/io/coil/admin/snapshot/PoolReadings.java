package io.coil.admin.snapshot;

import io.coil.core.pool.CollectionMode;
import io.coil.core.pool.PoolReading;
import io.coil.core.pool.PoolSpec;
import io.coil.core.pool.PoolSwitches;
import io.coil.core.pool.PoolText;
import io.coil.core.pool.Violation;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.SwitchedBy;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Pools as they were written, read once an image. */
final class PoolReadings {
    private PoolReadings() {}

    /** A pool's object, and what its texts mean. */
    record Read(
            AddressPool pool,
            PoolText text,
            @Nullable PoolSpec spec,
            @Nullable String problem,
            PoolSwitches switches) {

        CollectionMode mode(Rules rules) {
            return CollectionMode.strictest(
                    rules.collection(), switches.collection().orElse(CollectionMode.ON));
        }

        private @Nullable SwitchedBy by(String name, String beside) {
            return SwitchedBy.of(text.annotations(), name, beside).orElse(null);
        }

        int spareBlocks(Rules rules) {
            return Meta.beingDeleted(pool.metadata())
                    ? 0
                    : switches.spareBlocks().orElse(rules.spareBlocks());
        }

        PoolView view(Rules rules, List<BlockView> blocks, List<String> namespaces) {
            Share total = Share.NONE;
            Map<BlockState, Integer> states = new EnumMap<>(BlockState.class);
            for (BlockView block : blocks) {
                total = total.plus(block);
                states.merge(block.state(), 1, Integer::sum);
            }
            BigInteger blocksTotal =
                    spec == null ? BigInteger.ZERO : BigInteger.valueOf(spec.usableBlocks());
            return new PoolView(
                    Meta.name(pool.metadata()),
                    Meta.uid(pool.metadata()),
                    pool.spec() == null
                            ? AddressPool.Spec.DEFAULT_BLOCK_SIZE_BITS
                            : pool.spec().bits(),
                    subnets(pool),
                    text,
                    spec,
                    problem,
                    blocksTotal,
                    spec == null ? BigInteger.ZERO : blocksTotal.shiftLeft(spec.blockSizeBits()),
                    blocks.stream().sorted(Comparator.comparingInt(BlockView::index)).toList(),
                    states,
                    total,
                    Times.instant(pool.metadata().getDeletionTimestamp()),
                    switches.drain(),
                    by(Names.DRAIN, Names.DRAIN_BY),
                    mode(rules),
                    switches.collection().orElse(null),
                    by(Names.COLLECTION, Names.COLLECTION_BY),
                    spareBlocks(rules),
                    namespaces,
                    List.of());
        }
    }

    static Read read(AddressPool pool) {
        PoolText text = pool.toCore();
        PoolSwitches switches = PoolSwitches.parse(text.annotations()).switches();
        return switch (text.read()) {
            case PoolReading.Understood understood ->
                    new Read(pool, text, understood.spec(), null, switches);
            case PoolReading.NotUnderstood not ->
                    new Read(pool, text, null, sentence(not.violations()), switches);
        };
    }

    private static String sentence(List<Violation> violations) {
        return String.join("; ", violations.stream().map(Violation::message).toList());
    }

    private static List<String> subnets(AddressPool pool) {
        List<String> texts = new ArrayList<>();
        if (pool.spec() != null) {
            for (AddressPool.Subnet subnet : pool.spec().entries()) {
                if (subnet.ipv4() != null && !subnet.ipv4().isEmpty()) {
                    texts.add(subnet.ipv4());
                }
                if (subnet.ipv6() != null && !subnet.ipv6().isEmpty()) {
                    texts.add(subnet.ipv6());
                }
            }
        }
        return List.copyOf(texts);
    }
}
