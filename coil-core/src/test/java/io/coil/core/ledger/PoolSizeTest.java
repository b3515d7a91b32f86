package io.coil.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;

import io.coil.core.net.Cidr;
import io.coil.core.net.Family;
import io.coil.core.pool.BlockRange;
import io.coil.core.pool.PoolSpec;
import io.coil.core.pool.Subnet;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.util.List;

/** What a grant costs does not depend on the size of the pool, nor on how much of it is taken. */
class PoolSizeTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final PoolLedger ledger = new PoolLedger();

    @Test
    @DisplayName("D7: counts are exact beyond 2^63, and index 2^31 is never reached")
    void d7TheLastIndex() {
        PoolSpec huge = pool("huge", "fd00::/48");
        assertThat(huge.blocks()).isEqualTo(BigInteger.TWO.pow(80));
        assertThat(huge.addresses()).isEqualTo(BigInteger.TWO.pow(80));
        assertThat(huge.usableBlocks()).isEqualTo(1L << 31);
        assertThat(huge.hasBlock(Integer.MAX_VALUE)).isTrue();
        assertThat(huge.blockAt(Integer.MAX_VALUE)).hasToString("fd00::7fff:ffff/128");

        // all indices but the last are covered by two blocks of another pool
        ledger.put(new LedgerBlock("x-0", "u", "x", 0, range("fd00::/98"), "n"));
        ledger.put(new LedgerBlock("x-1", "u", "x", 1, range("fd00::4000:0/98"), "n"));
        assertThat(ledger.choose(huge)).isInstanceOf(Choice.Exhausted.class);

        ledger.remove("x-1");
        ledger.put(new LedgerBlock("x-1", "u", "x", 1, range("fd00::4000:0/99"), "n"));
        ledger.put(new LedgerBlock("x-2", "u", "x", 2, range("fd00::6000:0/99"), "n"));
        assertThat(ledger.choose(huge)).isInstanceOf(Choice.Exhausted.class);
        ledger.remove("x-2");
        assertThat(ledger.choose(huge))
                .isInstanceOfSatisfying(
                        Choice.Chosen.class,
                        chosen -> assertThat(chosen.index()).isEqualTo(0x6000_0000));
    }

    @Test
    @DisplayName("D7: a grant from a pool of 2^80 addresses allocates no more than one of 2^8")
    void d7NoGrowthWithTheSizeOfThePool() {
        long small = bytesOfAGrant(pool("small", "fd01::/120"));

        assertThat(bytesOfAGrant(pool("large", "fd00::/48"))).isLessThan(2 * small + 1024);
        assertThat(bytesOfAGrant(pool("huge", "fd02::/64"))).isLessThan(2 * small + 1024);
        assertThat(bytesOfAGrant(pool("ten", "10.0.0.0/8"))).isLessThan(2 * small + 1024);
    }

    @Test
    @DisplayName("D8: with 50,000 blocks a grant allocates no more than with none")
    void d8NoListOfAllIndices() {
        PoolSpec ten = pool("ten", "10.0.0.0/8");
        long empty = bytesOfAGrant(ten);
        for (int i = 0; i < 50_000; i++) {
            ledger.put(
                    new LedgerBlock("ten-" + i, "u" + i, "ten", i, ten.blockAt(i), "n" + i % 1000));
        }

        assertThat(bytesOfAGrant(ten)).isLessThan(2 * empty + 1024);
        assertThat(ledger.choose(ten)).isEqualTo(new Choice.Chosen(50_000, ten.blockAt(50_000)));
    }

    /** The least of many: what one choice, its promise and their end allocate, on this thread. */
    private long bytesOfAGrant(PoolSpec pool) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 200; i++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            if (ledger.choose(pool) instanceof Choice.Chosen(int index, var range)) {
                ledger.reserve(new Reservation("r", pool.name(), index, range, "n1"));
                ledger.release("r");
            }
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    private static BlockRange range(String ipv6) {
        return BlockRange.parse(null, ipv6);
    }

    private static PoolSpec pool(String name, String subnet) {
        Cidr cidr = Cidr.parse(subnet);
        return new PoolSpec(
                name,
                0,
                List.of(
                        cidr.family() == Family.IPV4
                                ? new Subnet(cidr, null)
                                : new Subnet(null, cidr)));
    }
}
