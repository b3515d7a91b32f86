package io.coil.admin.snapshot;

import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.NodeBlockUsage;
import io.coil.kubernetes.resource.RunItem;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Collections as they are shown, newest first. */
public final class RunViews {
    private RunViews() {}

    static Map<String, RunView> of(
            Collection<GarbageCollection> runs, Collection<NodeBlockUsage> usages) {
        Map<String, List<NodeBlockUsage.Run>> parts = new HashMap<>();
        for (NodeBlockUsage usage : usages) {
            for (NodeBlockUsage.Run run : orNone(usage.runs())) {
                parts.computeIfAbsent(run.uid(), uid -> new ArrayList<>()).add(run);
            }
        }
        Map<String, String> appliedBy = new HashMap<>();
        for (GarbageCollection run : runs) {
            if (run.spec() != null && run.spec().plan() != null && !run.spec().plan().isEmpty()) {
                appliedBy.put(run.spec().plan(), Meta.name(run.metadata()));
            }
        }
        Map<String, RunView> views = new LinkedHashMap<>();
        runs.stream()
                .map(run -> view(run, parts, appliedBy))
                .sorted(
                        Comparator.comparing(RunView::created)
                                .reversed()
                                .thenComparing(RunView::name))
                .forEach(view -> views.put(view.name(), view));
        return Collections.unmodifiableMap(views);
    }

    private static RunView view(
            GarbageCollection run,
            Map<String, List<NodeBlockUsage.Run>> parts,
            Map<String, String> appliedBy) {
        String name = Meta.name(run.metadata());
        GarbageCollection.Spec spec = run.spec();
        GarbageCollection.Status status = run.status();
        Answered answered =
                new Answered(
                        status,
                        run.finished()
                                ? List.of()
                                : parts.getOrDefault(Meta.uid(run.metadata()), List.of()));
        Instant created = Times.instant(run.metadata().getCreationTimestamp());
        return new RunView(
                name,
                Meta.uid(run.metadata()),
                created == null ? Instant.EPOCH : created,
                Meta.annotation(run.metadata(), Names.ASKED_BY),
                spec == null ? null : spec.reason(),
                spec == null ? List.of() : orNone(spec.nodes()),
                spec == null ? List.of() : orNone(spec.pools()),
                spec == null ? List.of() : orNone(spec.blocks()),
                spec != null && spec.planOnly(),
                spec == null || Objects.equals(spec.plan(), "") ? null : spec.plan(),
                appliedBy.get(name),
                phase(status),
                status == null ? null : status.message(),
                answered.found(),
                answered.done(),
                answered.failed(),
                status == null ? 0 : status.kept(),
                answered.items(),
                answered.rest(),
                status == null ? List.of() : orNone(status.expected()),
                status == null ? List.of() : orNone(status.unanswered()),
                status == null ? null : Times.instant(status.started()),
                status == null ? null : Times.instant(status.finished()));
    }

    /**
     * What is known so far: the controller's status, and until that is final, the nodes' own parts
     * where they say more.
     */
    private record Answered(
            GarbageCollection.@Nullable Status status, List<NodeBlockUsage.Run> parts) {

        long found() {
            long told = status == null ? 0 : status.found();
            return Math.max(told, parts.stream().mapToLong(NodeBlockUsage.Run::found).sum());
        }

        long done() {
            long told = status == null ? 0 : status.done();
            return Math.max(told, parts.stream().mapToLong(NodeBlockUsage.Run::done).sum());
        }

        long failed() {
            long told = status == null ? 0 : status.failed();
            return Math.max(told, parts.stream().mapToLong(NodeBlockUsage.Run::failed).sum());
        }

        List<RunItem> items() {
            Map<String, RunItem> items = new LinkedHashMap<>();
            for (RunItem item : orNone(status == null ? null : status.items())) {
                items.put(key(item), item);
            }
            for (NodeBlockUsage.Run part : parts) {
                for (RunItem item : orNone(part.items())) {
                    items.put(key(item), item);
                }
            }
            return items.values().stream()
                    .sorted(Comparator.comparing(RunItem::rule).thenComparing(RunItem::name))
                    .limit(RunItem.MOST)
                    .toList();
        }

        long rest() {
            return status == null ? 0 : status.rest();
        }

        private static String key(RunItem item) {
            return String.join(
                    "\0", item.rule(), item.kind(), item.name(), String.valueOf(item.uid()));
        }
    }

    private static RunView.Phase phase(GarbageCollection.@Nullable Status status) {
        if (status == null || status.phase() == null) {
            return RunView.Phase.WAITING;
        }
        return switch (status.phase()) {
            case GarbageCollection.Status.COMPLETED -> RunView.Phase.COMPLETED;
            case GarbageCollection.Status.FAILED -> RunView.Phase.FAILED;
            default -> RunView.Phase.RUNNING;
        };
    }

    private static <T> List<T> orNone(@Nullable List<T> list) {
        return list == null ? List.of() : list;
    }
}
