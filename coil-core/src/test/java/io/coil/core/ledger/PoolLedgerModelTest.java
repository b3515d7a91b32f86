package io.coil.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.core.net.Cidr;
import io.coil.core.pool.BlockRange;
import io.coil.core.pool.PoolSpec;
import io.coil.core.pool.Subnet;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The ledger against a model that looks at every index, every block and every promise. */
class PoolLedgerModelTest {

    @Property(tries = 300)
    void itChoosesWhatALookAtEverythingWould(@ForAll long seed) {
        Random random = new Random(seed);
        List<PoolSpec> pools = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            pools.add(randomPool("p" + i, random));
        }
        PoolLedger tested = new PoolLedger();
        Map<String, LedgerBlock> blocks = new HashMap<>();
        Map<String, Reservation> promises = new HashMap<>();
        for (int step = 0; step < 60; step++) {
            PoolSpec pool = pools.get(random.nextInt(3));
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    // whatever is in the API, overlapping or not
                    LedgerBlock block = strangeBlock(pools, random);
                    blocks.put(block.name(), block);
                    tested.put(block);
                }
                case 2 -> {
                    String name = pool.name() + "-" + random.nextInt(16);
                    blocks.remove(name);
                    tested.remove(name);
                }
                case 3 -> {
                    String request = "r" + random.nextInt(4);
                    promises.remove(request);
                    tested.release(request);
                }
                case 4 -> {
                    if (tested.choose(pool) instanceof Choice.Chosen(int index, var range)) {
                        Reservation promise =
                                new Reservation(
                                        "r" + random.nextInt(4), pool.name(), index, range, "n");
                        promises.put(promise.requestUid(), promise);
                        tested.reserve(promise);
                    }
                }
                default -> pools.set(random.nextInt(3), randomPool(pool.name(), random));
            }
            pools.sort(Comparator.comparing(PoolSpec::name));
            for (PoolSpec each : pools) {
                assertThat(tested.choose(each))
                        .isEqualTo(expected(each, blocks, promises, tested.usage(each)));
                assertThat(tested.count(each.name()))
                        .isEqualTo(
                                (int)
                                        blocks.values().stream()
                                                .filter(b -> b.pool().equals(each.name()))
                                                .count());
            }
        }
    }

    private static Choice expected(
            PoolSpec pool,
            Map<String, LedgerBlock> blocks,
            Map<String, Reservation> promises,
            PoolUsage usage) {
        for (int i = 0; i < pool.usableBlocks(); i++) {
            int index = i;
            BlockRange range = pool.blockAt(i);
            boolean byIndex =
                    blocks.values().stream()
                                    .anyMatch(
                                            b -> b.pool().equals(pool.name()) && b.index() == index)
                            || promises.values().stream()
                                    .anyMatch(
                                            p ->
                                                    p.pool().equals(pool.name())
                                                            && p.index() == index);
            boolean byRange =
                    blocks.values().stream()
                                    .map(LedgerBlock::range)
                                    .anyMatch(r -> r != null && r.overlaps(range))
                            || promises.values().stream().anyMatch(p -> p.range().overlaps(range));
            if (!byIndex && !byRange) {
                return new Choice.Chosen(i, range);
            }
        }
        return new Choice.Exhausted(usage);
    }

    private static PoolSpec randomPool(String name, Random random) {
        int bits = random.nextInt(3);
        int prefix = 28 + random.nextInt(3);
        String ipv4 = "10.0.0." + (random.nextInt(4) << 4) + "/" + prefix;
        String ipv6 = "fd00::" + random.nextInt(4) + "0/" + (prefix + 96);
        return switch (random.nextInt(3)) {
            case 0 -> pool(name, bits, ipv4, null);
            case 1 -> pool(name, bits, null, ipv6);
            default -> pool(name, bits, ipv4, ipv6);
        };
    }

    private static LedgerBlock strangeBlock(List<PoolSpec> pools, Random random) {
        PoolSpec pool = pools.get(random.nextInt(3));
        int index = random.nextInt(16);
        String uid = "u" + random.nextInt(1000);
        String node = random.nextInt(5) == 0 ? null : "n" + random.nextInt(3);
        BlockRange range;
        if (pool.hasBlock(index) && random.nextInt(3) > 0) {
            range = pool.blockAt(index);
        } else if (random.nextInt(4) == 0) {
            range = null;
        } else {
            range = range("10.0.0." + random.nextInt(64) + "/" + (28 + random.nextInt(5)));
        }
        return new LedgerBlock(
                PoolSpec.blockName(pool.name(), index), uid, pool.name(), index, range, node);
    }

    private static BlockRange range(String ipv4) {
        return BlockRange.parse(ipv4, null);
    }

    private static PoolSpec pool(
            String name, int bits, @Nullable String ipv4, @Nullable String ipv6) {
        return new PoolSpec(name, bits, List.of(subnet(ipv4, ipv6)));
    }

    private static Subnet subnet(@Nullable String ipv4, @Nullable String ipv6) {
        return new Subnet(
                ipv4 == null ? null : Cidr.parse(ipv4), ipv6 == null ? null : Cidr.parse(ipv6));
    }
}
