package io.coil.admin.history;

import io.coil.admin.snapshot.NodeView;
import io.coil.admin.snapshot.PoolView;
import io.coil.admin.snapshot.RunView;
import io.coil.admin.snapshot.Snapshot;
import io.coil.core.pool.CollectionMode;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What people change, seen to have changed: pools, switches, collections that were asked for. */
final class ObservedChanges {
    private final Instant at;
    private final List<Change> changes = new ArrayList<>();

    private ObservedChanges(Instant at) {
        this.at = at;
    }

    static List<Change> between(Snapshot before, Snapshot now, Instant at) {
        ObservedChanges observed = new ObservedChanges(at);
        for (PoolView pool : now.pools().values()) {
            observed.pool(same(before.pools().get(pool.name()), pool), pool);
        }
        for (PoolView pool : before.pools().values()) {
            if (same(now.pools().get(pool.name()), pool) == null) {
                observed.add("gone", "pool", pool.name(), pool.uid(), "", "it is gone");
            }
        }
        for (NodeView node : now.nodes().values()) {
            observed.node(before.nodes().get(node.name()), node);
        }
        for (RunView run : now.runs().values()) {
            RunView known = before.runs().get(run.name());
            if (known == null || !known.uid().equals(run.uid())) {
                observed.run(run);
            }
        }
        return observed.changes;
    }

    private static @Nullable PoolView same(@Nullable PoolView found, PoolView wanted) {
        return found != null && found.uid().equals(wanted.uid()) ? found : null;
    }

    private void pool(@Nullable PoolView before, PoolView now) {
        if (before == null) {
            add("create", "pool", now.name(), now.uid(), "", "subnets " + list(now.subnets()));
            return;
        }
        if (before.deleting() == null && now.deleting() != null) {
            add("delete", "pool", now.name(), now.uid(), "", "its deletion was asked for");
        }
        if (!before.subnets().equals(now.subnets())) {
            change(now, "subnets", list(before.subnets()), list(now.subnets()));
        }
        if (before.drain() != now.drain()) {
            change(now, "drain", before.drain(), now.drain());
        }
        if (before.spareBlocks() != now.spareBlocks()) {
            change(now, "spare blocks", before.spareBlocks(), now.spareBlocks());
        }
        if (before.mode() != now.mode()) {
            change(now, "collection", before.mode().text(), now.mode().text());
        }
    }

    private void change(PoolView pool, String what, Object before, Object now) {
        add("change", "pool", pool.name(), pool.uid(), "", from(what, before, now));
    }

    private static String from(String what, Object before, Object now) {
        return "%s: %s, before %s".formatted(what, now, before);
    }

    private void node(@Nullable NodeView before, NodeView now) {
        if (before != null
                && now.uid() != null
                && Objects.equals(before.uid(), now.uid())
                && before.ownMode() != now.ownMode()) {
            add(
                    "change",
                    "node",
                    now.name(),
                    now.uid(),
                    "",
                    from("collection", text(before.ownMode()), text(now.ownMode())));
        }
    }

    private static String text(@Nullable CollectionMode mode) {
        return mode == null ? "not set" : mode.text();
    }

    private void run(RunView run) {
        String action = run.dryRun() ? "plan" : run.plan() != null ? "apply plan" : "collect";
        String says = run.askedBy() == null ? "" : "its annotation says, for " + run.askedBy();
        add(
                action,
                "collection",
                run.name(),
                run.uid(),
                run.reason() == null ? "" : run.reason(),
                says);
    }

    private static String list(List<String> texts) {
        return String.join(", ", texts);
    }

    /** Two who see the same change within a minute give it the same name. */
    private void add(
            String action, String kind, String name, String uid, String reason, String detail) {
        boolean once = !action.equals("change");
        String stamp = once ? "" : "/" + at.getEpochSecond() / 60 + "/" + detail.hashCode();
        changes.add(
                new Change.Observed(
                        uid + "/" + action + stamp, at, action, kind, name, reason, detail));
    }
}
