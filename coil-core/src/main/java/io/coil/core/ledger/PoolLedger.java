package io.coil.core.ledger;

import io.coil.core.net.Cidr;
import io.coil.core.net.Family;
import io.coil.core.pool.BlockRange;
import io.coil.core.pool.PoolSpec;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The controller's view of what is taken: block indices by pool, address ranges over all pools, and
 * what requests in flight have been promised. A view only: that a block has one owner is held by
 * the API, which refuses a second block of one name; the ledger makes such collisions rare, and is
 * what keeps blocks of overlapping pools apart.
 *
 * <p>Costs memory by the number of blocks, never by the size of a pool; every call is logarithmic.
 *
 * <p>Not thread-safe: the caller guards it, and holds that guard over no I/O.
 */
public final class PoolLedger {
    private final Map<String, LedgerBlock> blocks = new HashMap<>();
    private final Map<String, Map<String, LedgerBlock>> byNode = new HashMap<>();
    private final Map<String, Reservation> reservations = new HashMap<>();
    private final Map<String, PoolState> pools = new HashMap<>();
    private final TakenRanges ipv4 = new TakenRanges();
    private final TakenRanges ipv6 = new TakenRanges();

    /** Enters a block, in place of what was known under that name. */
    public void put(LedgerBlock block) {
        LedgerBlock known = blocks.get(block.name());
        if (block.equals(known)) {
            return;
        }
        if (known != null) {
            remove(block.name());
        }
        blocks.put(block.name(), block);
        PoolState pool = pool(block.pool());
        pool.taken.take(block.index());
        pool.added(block.node());
        String node = block.node();
        if (node != null) {
            byNode.computeIfAbsent(node, n -> new LinkedHashMap<>()).put(block.name(), block);
        }
        BlockRange range = block.range();
        if (range != null) {
            range.ranges().forEach(cidr -> family(cidr).add(cidr, block.name()));
        }
    }

    /** Takes a block out, whatever its UID; unknown: nothing happens. */
    public void remove(String name) {
        LedgerBlock block = blocks.remove(name);
        if (block == null) {
            return;
        }
        PoolState pool = pool(block.pool());
        pool.removed(block.node());
        String node = block.node();
        if (node != null) {
            byNode.computeIfPresent(
                    node,
                    (n, held) -> {
                        held.remove(name);
                        return held.isEmpty() ? null : held;
                    });
        }
        release(block.pool(), block.index(), block.range(), name);
    }

    /** Takes a block out if it still is the one of that UID: for news that comes late. */
    public void remove(String name, String uid) {
        LedgerBlock block = blocks.get(name);
        if (block != null && block.uid().equals(uid)) {
            remove(name);
        }
    }

    /**
     * Promises an index and its range to a request, in place of what that request was promised
     * before. Several requests can be promised one index: intents that were recorded by two
     * leaders. The API decides between them.
     */
    public void reserve(Reservation reservation) {
        release(reservation.requestUid());
        reservations.put(reservation.requestUid(), reservation);
        pool(reservation.pool()).taken.take(reservation.index());
        for (Cidr cidr : reservation.range().ranges()) {
            family(cidr).add(cidr, reservation.blockName());
        }
    }

    /** Ends what a request was promised; without a promise nothing happens. */
    public void release(String requestUid) {
        Reservation reservation = reservations.remove(requestUid);
        if (reservation != null) {
            release(
                    reservation.pool(),
                    reservation.index(),
                    reservation.range(),
                    reservation.blockName());
        }
    }

    public Optional<Reservation> reservation(String requestUid) {
        return Optional.ofNullable(reservations.get(requestUid));
    }

    /**
     * The lowest free index of the pool whose range meets no block and no promise of any pool.
     * Nothing is taken: {@link #reserve} it under the same guard.
     */
    public Choice choose(PoolSpec spec) {
        PoolState pool = pool(spec.name());
        Choice choice = search(spec, pool);
        if (pool.isIdle()) {
            pools.remove(spec.name()); // nothing is kept of a pool that has no block
        }
        return choice;
    }

    private Choice search(PoolSpec spec, PoolState pool) {
        long usable = spec.usableBlocks();
        long index = pool.searchFrom(spec);
        boolean passedOver = false;
        while (index < usable) {
            index = pool.taken.firstFree((int) index);
            if (index >= usable) {
                break;
            }
            BlockRange range = spec.blockAt((int) index);
            long next = firstIndexBeyondTaken(spec, (int) index, range);
            if (next == index) {
                pool.searchedTo(index, passedOver);
                return new Choice.Chosen((int) index, range);
            }
            passedOver = true;
            index = next;
        }
        pool.searchedTo(usable, passedOver);
        return new Choice.Exhausted(usage(spec));
    }

    /**
     * What stands in the way of a block that is about to be made: another block whose range it
     * would meet, existing or promised to a request. Empty: nothing.
     */
    public Optional<String> obstacle(String blockName, BlockRange range) {
        return range.ranges().stream()
                .flatMap(cidr -> family(cidr).meeting(cidr, blockName).stream())
                .map(TakenRanges.Taken::block)
                .findFirst();
    }

    public Optional<LedgerBlock> block(String name) {
        return Optional.ofNullable(blocks.get(name));
    }

    /** All blocks; a view, valid until the next change. */
    public Collection<LedgerBlock> blocks() {
        return Collections.unmodifiableCollection(blocks.values());
    }

    /** The nodes that hold blocks; a view, valid until the next change. */
    public Collection<String> nodes() {
        return Collections.unmodifiableSet(byNode.keySet());
    }

    /** The blocks that carry that node's name; a view, valid until the next change. */
    public Collection<LedgerBlock> blocksOf(String node) {
        return Collections.unmodifiableCollection(byNode.getOrDefault(node, Map.of()).values());
    }

    /** How many blocks of the pool carry that node's name. */
    public int count(String pool, String node) {
        PoolState state = pools.get(pool);
        return state == null ? 0 : state.perNode().getOrDefault(node, 0);
    }

    /** How many blocks of the pool exist. */
    public int count(String pool) {
        PoolState state = pools.get(pool);
        return state == null ? 0 : state.blocks();
    }

    /** Who holds the blocks of the pool. */
    public PoolUsage usage(PoolSpec spec) {
        return usage(spec.name(), spec.blocks());
    }

    /** The same for a pool whose shape is not known, but its number of blocks. */
    public PoolUsage usage(String pool, BigInteger total) {
        PoolState state = pools.get(pool);
        return new PoolUsage(pool, count(pool), total, state == null ? Map.of() : state.perNode());
    }

    /** That index if its range meets nothing, else the first one behind what it meets. */
    private long firstIndexBeyondTaken(PoolSpec spec, int index, BlockRange range) {
        long next = index;
        for (Cidr cidr : range.ranges()) {
            Optional<TakenRanges.Taken> met = family(cidr).meeting(cidr);
            if (met.isPresent()) {
                next = Math.max(next, spec.firstIndexBeyond(index, met.get().range()));
            }
        }
        return next;
    }

    private void release(String poolName, int index, @Nullable BlockRange range, String block) {
        PoolState pool = pool(poolName);
        if (pool.taken.release(index)) {
            pool.freed(index);
        }
        if (pool.isIdle()) {
            pools.remove(poolName);
        }
        if (range != null) {
            range.ranges().forEach(cidr -> family(cidr).remove(cidr, block));
            pools.values().forEach(PoolState::rangeFreed);
        }
    }

    private PoolState pool(String name) {
        return pools.computeIfAbsent(name, n -> new PoolState());
    }

    private TakenRanges family(Cidr cidr) {
        return cidr.family() == Family.IPV4 ? ipv4 : ipv6;
    }
}
