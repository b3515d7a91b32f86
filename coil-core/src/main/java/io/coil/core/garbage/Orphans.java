package io.coil.core.garbage;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The orphan blocks of one leadership: who was seen first when, and how far each has got. A new
 * leader has a new one, so its graces begin anew. Times are nanoseconds of the caller's own
 * monotonic clock; nobody compares the clocks of two machines.
 *
 * <p>The order for one block: {@link #look}, a live read of the Node, {@link #nodeRead}, DELETE,
 * {@link #deleted}, a second live read, {@link #nodeReadAgain}, finalizer. The second read is there
 * because the Node may come back, start pods and so use the block again between the first read and
 * the DELETE; once the block is being deleted its agent gives out nothing of it. A try that takes
 * longer than {@link #READS_APART} is begun again with its grace.
 *
 * <p>Not thread-safe: the caller guards it, and holds the guard over no I/O.
 */
public final class Orphans {
    /** Between the two reads no new machine of that name may start a pod and go again. */
    public static final Duration READS_APART = Duration.ofSeconds(10);

    private final long graceNanos;
    private final Map<String, Candidate> byUid = new HashMap<>();

    private static final class Candidate {
        final long firstLook;
        boolean readAsked;
        boolean absentRead;
        boolean tried;
        long firstRead;

        Candidate(long now) {
            firstLook = now;
        }
    }

    /**
     * @param grace longer than the containers of a deleted Node live on, and than a Node deleted by
     *     mistake stays away
     */
    public Orphans(Duration grace) {
        this.graceNanos = grace.toNanos();
    }

    /**
     * A look at the caches.
     *
     * @param nodeKnown whether the cache has a Node of the name on the block's label
     */
    public OrphanStep look(OrphanBlock block, boolean nodeKnown, long now) {
        if (block.node() == null) {
            byUid.remove(block.uid());
            return new OrphanStep.Keep("the block has no node label: only a person can tell");
        }
        if (nodeKnown) {
            byUid.remove(block.uid());
            return new OrphanStep.LeaveToAgent();
        }
        // A reserved block that somebody deletes has been given up on purpose.
        if (block.reserved() && !block.beingDeleted()) {
            byUid.remove(block.uid());
            return new OrphanStep.Keep("the block is marked as reserved");
        }
        Candidate candidate = byUid.computeIfAbsent(block.uid(), uid -> new Candidate(now));
        if (candidate.tried && now - candidate.firstRead > READS_APART.toNanos()) {
            // A Node may have come, and gone by mistake, without our seeing it: a grace anew.
            candidate = new Candidate(now);
            byUid.put(block.uid(), candidate);
        }
        long waited = now - candidate.firstLook;
        if (waited < graceNanos) {
            return new OrphanStep.Wait(Duration.ofNanos(graceNanos - waited));
        }
        candidate.readAsked = true;
        candidate.absentRead = false;
        return new OrphanStep.ReadNode();
    }

    /**
     * The Node was read live, after {@link #look} asked for it.
     *
     * @param now the time at which that read was sent, not answered
     */
    public OrphanStep nodeRead(OrphanBlock block, boolean nodeExists, long now) {
        Candidate candidate = byUid.get(block.uid());
        if (candidate == null || !candidate.readAsked) {
            return new OrphanStep.BeginAgain();
        }
        if (nodeExists) {
            byUid.remove(block.uid());
            return new OrphanStep.LeaveToAgent();
        }
        candidate.readAsked = false;
        candidate.absentRead = true;
        candidate.tried = true;
        candidate.firstRead = now;
        return block.beingDeleted() ? new OrphanStep.ReadNodeAgain() : new OrphanStep.Delete();
    }

    /** The DELETE was answered with success: the block is being deleted. */
    public OrphanStep deleted(String uid) {
        Candidate candidate = byUid.get(uid);
        return candidate != null && candidate.absentRead
                ? new OrphanStep.ReadNodeAgain()
                : new OrphanStep.BeginAgain();
    }

    /**
     * The Node was read live once more.
     *
     * @param now the time at which that read was answered
     */
    public OrphanStep nodeReadAgain(String uid, boolean nodeExists, long now) {
        Candidate candidate = byUid.get(uid);
        if (candidate == null || !candidate.absentRead) {
            return new OrphanStep.BeginAgain();
        }
        if (nodeExists) {
            byUid.remove(uid);
            return new OrphanStep.LeaveToAgent();
        }
        candidate.absentRead = false;
        return now - candidate.firstRead > READS_APART.toNanos()
                ? new OrphanStep.BeginAgain()
                : new OrphanStep.TakeFinalizer();
    }

    /** For how long the block has been a candidate; zero if it is none. */
    public Duration age(String uid, long now) {
        Candidate candidate = byUid.get(uid);
        return candidate == null ? Duration.ZERO : Duration.ofNanos(now - candidate.firstLook);
    }

    /** The block is gone, or is another now. */
    public void forget(String uid) {
        byUid.remove(uid);
    }

    /** Forgets all candidates but these: the UIDs of the blocks that exist. */
    public void retain(Set<String> uids) {
        byUid.keySet().retainAll(uids);
    }

    public int candidates() {
        return byUid.size();
    }
}
