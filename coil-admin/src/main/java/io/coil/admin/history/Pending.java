package io.coil.admin.history;

import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.PoolView;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is to be written: bounded, so that a database that stays away costs no more memory. When
 * there are too many changes they are given up one by one, and the look at the cluster is compared
 * with the database as a whole, once it is there: only what came and went meanwhile is lost.
 */
final class Pending {
    static final int MOST_CHANGES = 50_000;
    static final int MOST_ENTRIES = 10_000;

    /** An entry of the audit, with a name of its own, so that it is never written twice. */
    record Entry(String uid, AuditEntry entry, String request) {}

    /**
     * What is to be written next.
     *
     * @param whole to be compared with all that is open in the database; null: nothing is
     * @param watchedSince all changes since then have been handed out
     * @param latest the look after the last of the changes; null: nothing has been seen yet
     */
    record Work(
            @Nullable Current whole,
            Instant watchedSince,
            List<Entry> entries,
            List<Change> changes,
            List<PoolUse> uses,
            @Nullable Current latest) {

        /** Besides what a whole comparison finds. */
        boolean isEmpty() {
            return entries.isEmpty() && changes.isEmpty() && uses.isEmpty();
        }
    }

    // All guarded by this.
    private final Deque<Entry> entries = new ArrayDeque<>();
    private final Deque<Change> changes = new ArrayDeque<>();
    private final Map<String, PoolUse> uses = new HashMap<>();
    private @Nullable Current latest;
    private boolean whole = true;
    private Instant watchedSince = Instant.EPOCH;
    private long entriesLost;
    private long changesLost;

    /** False if there is no room for it. */
    synchronized boolean add(Entry entry) {
        if (entries.size() >= MOST_ENTRIES) {
            entriesLost++;
            return false;
        }
        entries.add(entry);
        return true;
    }

    /** The look before this one; null if this is the first. */
    synchronized @Nullable Current latest() {
        return latest;
    }

    /** A look, and what is different from the one before. */
    synchronized void add(Current look, List<Change> different) {
        watchedSince = latest == null ? look.asOf() : watchedSince;
        latest = look;
        for (PoolView pool : look.snapshot().pools().values()) {
            PoolUse use = use(look, pool);
            uses.merge(use.poolUid() + "/" + use.day(), use, PoolUse::then);
        }
        if (changes.size() + different.size() > MOST_CHANGES) {
            changesLost += changes.size() + different.size();
            changes.clear();
            whole = true;
            watchedSince = look.asOf();
        } else {
            changes.addAll(different);
        }
    }

    private static PoolUse use(Current look, PoolView pool) {
        var at = Differences.millis(look.snapshot().built());
        return new PoolUse(
                pool.uid(),
                LocalDate.ofInstant(at, ZoneOffset.UTC),
                pool.name(),
                pool.blocks().size(),
                pool.blocks().size(),
                at,
                pool.blocksTotal().toString(),
                pool.total().used(),
                pool.total().used());
    }

    /** Asks for a comparison of all, if there is nothing that it would lose. */
    synchronized void compareAll() {
        whole |= changes.isEmpty();
    }

    /**
     * Takes what is next; it is the writer's until it is written.
     *
     * @param all also what is no change: how much is in use, and until when it was watched
     */
    synchronized Work take(int most, boolean all) {
        List<Entry> next = new ArrayList<>();
        while (next.size() < most && !entries.isEmpty()) {
            next.add(entries.removeFirst());
        }
        List<Change> some = new ArrayList<>();
        while (some.size() < most && !changes.isEmpty()) {
            some.add(changes.removeFirst());
        }
        boolean last = (all || whole) && changes.isEmpty();
        Current compared = whole && last ? latest : null;
        whole = compared == null && whole;
        return new Work(
                compared,
                watchedSince,
                next,
                some,
                last ? takeUses() : List.of(),
                last ? latest : null);
    }

    private List<PoolUse> takeUses() {
        List<PoolUse> taken = List.copyOf(uses.values());
        uses.clear();
        return taken;
    }

    synchronized int size() {
        return entries.size() + changes.size();
    }

    synchronized long entriesLost() {
        return entriesLost;
    }

    synchronized long changesLost() {
        return changesLost;
    }
}
