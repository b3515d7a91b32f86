package io.coil.controller.run;

import io.coil.core.garbage.PlanApplication;
import io.coil.core.garbage.Rule;
import io.coil.core.garbage.Selection;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.RunItem;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** What a run is about, whether it makes sense, and whose agents have a part in it. */
public final class RunScope {
    private RunScope() {}

    static Selection selection(GarbageCollection run) {
        GarbageCollection.Spec spec = run.spec();
        return spec == null
                ? Selection.ALL
                : new Selection(set(spec.nodes()), set(spec.pools()), set(spec.blocks()));
    }

    /**
     * Why the run cannot be carried out; null if it can. A sentence each.
     *
     * @param plan the run that {@code spec.plan} names; null if there is none of that name
     */
    public static @Nullable String refusal(
            GarbageCollection run, Known known, @Nullable GarbageCollection plan, Instant now) {
        GarbageCollection.Spec spec = run.spec();
        if (spec == null) {
            return null;
        }
        for (String node : set(spec.nodes())) {
            if (!known.nodeOrItsBlocks(node)) {
                return "there is no node named " + node;
            }
        }
        for (String pool : set(spec.pools())) {
            if (!known.poolOrItsBlocks(pool)) {
                return "there is no pool named " + pool;
            }
        }
        for (String block : set(spec.blocks())) {
            if (known.block(block).isEmpty()) {
                return "there is no block named " + block;
            }
        }
        return spec.plan() == null ? null : planRefusal(spec.plan(), spec.planOnly(), plan, now);
    }

    private static @Nullable String planRefusal(
            String name, boolean dryRun, @Nullable GarbageCollection plan, Instant now) {
        if (dryRun) {
            return "dryRun and plan exclude each other: a dry run makes a plan, plan applies one";
        }
        if (plan == null) {
            return "there is no collection named %s to apply".formatted(name);
        }
        if (plan.spec() == null || !plan.spec().planOnly()) {
            return "collection %s is no dry run, so it is no plan".formatted(name);
        }
        GarbageCollection.Status status = plan.status();
        if (status == null
                || !GarbageCollection.Status.COMPLETED.equals(status.phase())
                || status.finished() == null) {
            return "the dry run %s has not completed".formatted(name);
        }
        Duration age = Duration.between(status.finished().toInstant(), now);
        return PlanApplication.isFresh(age.isNegative() ? Duration.ZERO : age)
                ? null
                : "the plan %s is %d minutes old, at most %d are allowed: make a new one"
                        .formatted(name, age.toMinutes(), PlanApplication.MAX_AGE.toMinutes());
    }

    /**
     * The nodes that are to answer: they have a Node object, are meant by the run, and have
     * anything to answer for. A node that is named is always expected.
     */
    static Set<String> expected(
            GarbageCollection run, Known known, @Nullable GarbageCollection plan) {
        Selection selection = selection(run);
        Set<String> nodes = new TreeSet<>();
        if (plan != null) {
            planned(plan).stream()
                    .filter(i -> !isOurs(i) && i.node() != null)
                    .forEach(i -> nodes.add(Objects.requireNonNull(i.node())));
        } else if (!selection.blocks().isEmpty()) {
            selection.blocks().stream()
                    .flatMap(b -> known.block(b).stream())
                    .filter(b -> selection.matches(b.node(), b.pool(), b.name()))
                    .forEach(b -> nodes.add(Objects.requireNonNullElse(b.node(), "")));
        } else if (!selection.pools().isEmpty()) {
            selection.pools().forEach(p -> nodes.addAll(known.nodesOfPool(p)));
        } else {
            nodes.addAll(known.nodesWithSomething());
            nodes.addAll(selection.nodes());
        }
        nodes.removeIf(n -> n.isEmpty() || !selection.matchesNode(n));
        nodes.retainAll(known.existing(nodes));
        return nodes;
    }

    static boolean appliesPlan(GarbageCollection run) {
        return run.spec() != null && run.spec().plan() != null;
    }

    /** What a plan says would be collected. */
    static List<RunItem> planned(GarbageCollection plan) {
        return items(plan).stream().filter(i -> i.outcome().equals(RunItem.PLANNED)).toList();
    }

    /** The nodes whose parts are in the status. */
    static List<String> answered(GarbageCollection.Status status) {
        List<String> expected = status.expected() == null ? List.of() : status.expected();
        List<String> unanswered = status.unanswered() == null ? List.of() : status.unanswered();
        Set<String> waiting = Set.copyOf(unanswered);
        return expected.stream().filter(n -> !waiting.contains(n)).toList();
    }

    static List<RunItem> items(GarbageCollection run) {
        return run.status() == null || run.status().items() == null
                ? List.of()
                : run.status().items();
    }

    /** Whether the controller acts on it; the agents do the others. */
    static boolean isOurs(RunItem item) {
        return Rule.parse(item.rule())
                .filter(r -> r.collector() == Rule.Collector.CONTROLLER)
                .isPresent();
    }

    private static Set<String> set(@Nullable List<String> names) {
        return names == null ? Set.of() : Set.copyOf(names);
    }
}
