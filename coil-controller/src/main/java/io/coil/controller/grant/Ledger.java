package io.coil.controller.grant;

import io.coil.controller.view.SeenBlock;
import io.coil.core.grant.GrantDecision;
import io.coil.core.grant.PoolView;
import io.coil.core.grant.RequestView;
import io.coil.core.ledger.Choice;
import io.coil.core.ledger.LedgerBlock;
import io.coil.core.ledger.PoolLedger;
import io.coil.core.ledger.PoolUsage;
import io.coil.core.ledger.Reservation;
import io.coil.core.pool.BlockName;
import io.coil.core.pool.BlockRange;
import io.coil.core.pool.PoolSpec;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The {@link PoolLedger} of one leadership, guarded, and kept true from three sources: live lists,
 * the watch, and the blocks that we made ourselves. No call does I/O.
 *
 * <p>What must stay true: no block that exists is ever missing, because only the ledger keeps
 * blocks of overlapping pools apart. So a block leaves by its UID alone: when the watch says that
 * this UID is gone, or when a live list that began after it was entered does not have it.
 */
public final class Ledger {
    private final PoolLedger ledger = new PoolLedger();
    private final Set<String> withoutLabel = new HashSet<>();

    /** UIDs that a live list has shown to be gone, while the watch may still tell of them. */
    private final Set<String> provenGone = remembering();

    /** One live list that is under way, and what happened since it began. */
    public static final class Listing {
        private final Set<String> entered = new HashSet<>();
        private final Set<String> gone = new HashSet<>();

        private Listing() {}
    }

    private final List<Listing> listings = new ArrayList<>();

    /** Before a live list is asked for. */
    public synchronized Listing listingBegins() {
        Listing listing = new Listing();
        listings.add(listing);
        return listing;
    }

    public synchronized void listingFailed(Listing listing) {
        listings.remove(listing);
    }

    /**
     * The list is complete.
     *
     * @param pool the list was of the blocks with this pool's label; null: of all blocks
     */
    public synchronized void listed(
            Listing listing, @Nullable String pool, Collection<SeenBlock> found) {
        listings.remove(listing);
        Map<String, SeenBlock> there = new HashMap<>();
        found.forEach(b -> there.put(b.uid(), b));
        Predicate<LedgerBlock> asked =
                b -> pool == null || (b.pool().equals(pool) && !withoutLabel.contains(b.uid()));
        for (LedgerBlock known : List.copyOf(ledger.blocks())) {
            if (asked.test(known)
                    && !there.containsKey(known.uid())
                    && !listing.entered.contains(known.uid())) {
                remove(known.name(), known.uid());
                provenGone.add(known.uid());
            }
        }
        for (SeenBlock block : found) {
            boolean newer =
                    ledger.block(block.name())
                            .filter(known -> listing.entered.contains(known.uid()))
                            .isPresent();
            if (!newer && !listing.gone.contains(block.uid())) {
                enter(block);
            }
        }
    }

    /** A block that we made, or read live. */
    public synchronized void enter(SeenBlock block) {
        listings.forEach(l -> l.entered.add(block.uid()));
        provenGone.remove(block.uid());
        if (block.pool() == null) {
            withoutLabel.add(block.uid());
        }
        ledger.put(block.toLedger());
    }

    /**
     * The watch, which may be late: a block of another UID than the known one may be an old one.
     */
    public synchronized void seen(@Nullable SeenBlock old, @Nullable SeenBlock now) {
        if (now == null || provenGone.contains(now.uid())) {
            if (old != null) {
                remove(old.name(), old.uid());
            }
            if (now == null && old != null) {
                provenGone.remove(old.uid());
            }
            return;
        }
        String known = ledger.block(now.name()).map(LedgerBlock::uid).orElse(null);
        boolean follows = old != null && old.uid().equals(known);
        if (known == null || known.equals(now.uid()) || follows) {
            if (old != null && !old.uid().equals(now.uid())) {
                remove(old.name(), old.uid());
            }
            enter(now);
        }
    }

    /** The newest ones are enough: the watch tells of the others before long. */
    private static Set<String> remembering() {
        return Collections.newSetFromMap(
                new LinkedHashMap<>() {
                    @Override
                    protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                        return size() > 10_000;
                    }
                });
    }

    private void remove(String name, String uid) {
        listings.forEach(l -> l.gone.add(uid));
        withoutLabel.remove(uid);
        ledger.remove(name, uid);
    }

    /** Decides, and promises what it decides to the request, in one step. */
    synchronized GrantDecision decide(RequestView request, @Nullable PoolView pool) {
        ledger.release(request.uid()); // what it was promised before is no obstacle to itself
        GrantDecision decision = GrantDecision.decide(request, pool, ledger);
        switch (decision) {
            case GrantDecision.RecordIntent(String block, int index, BlockRange range) ->
                    promise(request, index, range);
            case GrantDecision.FinishIntent(String block, int index, BlockRange range) ->
                    promise(request, index, range);
            case GrantDecision.Fail fail -> {}
            case GrantDecision.Nothing nothing -> {}
        }
        return decision;
    }

    /** What the leader before has intended for a request. */
    synchronized void remember(RequestView request, PoolSpec spec) {
        Optional.ofNullable(request.intent())
                .flatMap(BlockName::parse)
                .filter(name -> name.pool().equals(spec.name()) && spec.hasBlock(name.index()))
                .ifPresent(name -> promise(request, name.index(), spec.blockAt(name.index())));
    }

    private void promise(RequestView request, int index, BlockRange range) {
        ledger.reserve(
                new Reservation(request.uid(), request.pool(), index, range, request.node()));
    }

    synchronized void release(String requestUid) {
        ledger.release(requestUid);
    }

    /** The name of the block that a request was promised. */
    synchronized Optional<String> promised(String requestUid) {
        return ledger.reservation(requestUid).map(Reservation::blockName);
    }

    public synchronized int count(String pool) {
        return ledger.count(pool);
    }

    /** {@code total}: how many blocks the pool is cut into. */
    public synchronized PoolUsage usage(String pool, BigInteger total) {
        return ledger.usage(pool, total);
    }

    /** Whether the next request for a block of that pool would get none. */
    public synchronized boolean exhausted(PoolSpec spec) {
        return ledger.choose(spec) instanceof Choice.Exhausted;
    }

    /** Another block whose range meets this one's, if there is one. */
    public synchronized Optional<String> overlapping(String block, BlockRange range) {
        return ledger.obstacle(block, range).filter(other -> ledger.block(other).isPresent());
    }
}
