package io.coil.admin.history;

import io.coil.admin.snapshot.AddressLookup;
import io.coil.admin.snapshot.BlockView;
import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.Observed;
import io.coil.admin.snapshot.RunView;
import io.coil.admin.snapshot.Snapshot;
import io.coil.core.net.Address;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What happened between two looks. A pure function. An end stands before the beginning that
 * followed it.
 */
final class Differences {
    private final Snapshot before;
    private final Snapshot now;
    private final Instant after;
    private final Instant at;
    private final List<Change> changes = new ArrayList<>();

    private Differences(Current before, Current now) {
        this.before = before.snapshot();
        this.now = now.snapshot();
        this.after = millis(before.asOf());
        this.at = millis(now.snapshot().built());
    }

    static List<Change> between(Current before, Current now) {
        Differences differences = new Differences(before, now);
        differences.addresses();
        differences.blocks();
        differences.runs();
        differences.changes.addAll(
                ObservedChanges.between(differences.before, differences.now, differences.at));
        return differences.changes;
    }

    /** A time as both databases keep it. */
    static Instant millis(Instant time) {
        return time.truncatedTo(ChronoUnit.MILLIS);
    }

    private void addresses() {
        before.pods()
                .forEach(
                        (address, pod) -> {
                            if (!has(now, address, pod)) {
                                changes.add(
                                        new Change.Ended(
                                                holding(address, pod, before, null, after)
                                                        .ended(after, at)));
                            }
                        });
        now.pods()
                .forEach(
                        (address, pod) -> {
                            if (!has(before, address, pod)) {
                                changes.add(
                                        new Change.Began(holding(address, pod, now, after, at)));
                            }
                        });
    }

    private static boolean has(Snapshot image, Address address, Observed.Pod pod) {
        var holder = image.pods().get(address);
        return holder != null && holder.uid().equals(pod.uid());
    }

    /**
     * An open holding.
     *
     * @param after the pod did not have the address yet; null: not known
     */
    static Holding holding(
            Address address,
            Observed.Pod pod,
            Snapshot image,
            @Nullable Instant after,
            Instant at) {
        BlockView block = AddressLookup.of(address, image).block();
        return new Holding(
                address.toString(),
                pod.namespace(),
                pod.name(),
                pod.uid(),
                pod.node(),
                block == null ? null : block.name(),
                earliest(later(after, pod.started()), at),
                at,
                null,
                null);
    }

    /** No pod has an address before its node has begun to start it. */
    private static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.isAfter(other) ? one : other;
    }

    private static @Nullable Instant earliest(@Nullable Instant time, Instant most) {
        return time == null || time.isBefore(most) ? time : most;
    }

    private void blocks() {
        for (BlockView block : before.blocks().values()) {
            if (!has(now, block)) {
                changes.add(new Change.Gone(block, after, at));
            }
        }
        for (BlockView block : now.blocks().values()) {
            if (!has(before, block)) {
                changes.add(new Change.Granted(block, at));
            }
        }
    }

    private static boolean has(Snapshot image, BlockView block) {
        BlockView there = image.blocks().get(block.name());
        return there != null && there.uid().equals(block.uid());
    }

    private void runs() {
        for (Map.Entry<String, RunView> entry : now.runs().entrySet()) {
            RunView run = entry.getValue();
            RunView known = before.runs().get(entry.getKey());
            boolean wasOver = known != null && known.uid().equals(run.uid()) && known.over();
            if (run.over() && !wasOver) {
                changes.add(new Change.Finished(run));
            }
        }
    }
}
