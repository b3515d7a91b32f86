package io.coil.controller.run;

import io.coil.controller.garbage.Reports;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.RunItem;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the status of a run says at each point of its life. */
final class RunStatus {
    private RunStatus() {}

    static GarbageCollection.Status begun(
            Collection<String> expected, @Nullable String message, OffsetDateTime now) {
        List<String> nodes = List.copyOf(expected);
        return new GarbageCollection.Status(
                GarbageCollection.Status.RUNNING,
                message,
                0,
                0,
                0,
                0,
                null,
                0,
                nodes,
                nodes,
                now,
                null);
    }

    static GarbageCollection.Status failed(String why, OffsetDateTime now) {
        return new GarbageCollection.Status(
                GarbageCollection.Status.FAILED, why, 0, 0, 0, 0, null, 0, null, null, now, now);
    }

    static GarbageCollection.Status running(
            GarbageCollection.Status before, Gathered gathered, Collection<String> silent) {
        return of(
                before,
                gathered,
                List.of(),
                silent,
                GarbageCollection.Status.RUNNING,
                before.message(),
                null);
    }

    /**
     * The end.
     *
     * @param silent nodes that have not answered
     * @param undone items of the plan that fell to nobody
     */
    static GarbageCollection.Status closed(
            GarbageCollection.Status before,
            Gathered gathered,
            Collection<String> silent,
            List<RunItem> undone,
            Duration waited,
            OffsetDateTime now) {
        List<RunItem> added = new ArrayList<>(undone);
        silent.stream()
                .filter(n -> !gathered.reportsSilent(n))
                .forEach(n -> added.add(Reports.silent(n, waited)));
        String unanswered =
                silent.isEmpty()
                        ? null
                        : "%d of %d nodes have not answered"
                                .formatted(silent.size(), expected(before).size());
        String message =
                Stream.of(unanswered, before.message())
                        .filter(Objects::nonNull)
                        .collect(Collectors.joining("; "));
        return of(
                before,
                gathered,
                added,
                silent,
                GarbageCollection.Status.COMPLETED,
                message.isEmpty() ? null : message,
                now);
    }

    private static GarbageCollection.Status of(
            GarbageCollection.Status before,
            Gathered gathered,
            List<RunItem> added,
            Collection<String> silent,
            String phase,
            @Nullable String message,
            @Nullable OffsetDateTime finished) {
        List<RunItem> items = new ArrayList<>(gathered.items());
        items.addAll(added.subList(0, Math.min(added.size(), RunItem.MOST - items.size())));
        long found = gathered.found() + added.size();
        return new GarbageCollection.Status(
                phase,
                message,
                found,
                gathered.done(),
                gathered.failed() + count(added, RunItem.FAILED),
                gathered.kept(),
                items,
                Math.max(0, found - items.size()),
                before.expected(),
                List.copyOf(silent),
                before.started(),
                finished);
    }

    static List<String> expected(GarbageCollection.Status status) {
        return status.expected() == null ? List.of() : status.expected();
    }

    private static long count(List<RunItem> items, String outcome) {
        return items.stream().filter(i -> i.outcome().equals(outcome)).count();
    }
}
