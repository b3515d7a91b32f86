package io.coil.admin.act;

import io.coil.admin.snapshot.RunView;
import io.coil.admin.snapshot.Snapshot;
import io.coil.admin.snapshot.Spoken;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What is wrong with an order, in sentences; nothing is asked of the API. The controllers'
 * admission has the last word: this is so that people get all of it at once, and see it beside the
 * form.
 */
final class OrderRules {
    private OrderRules() {}

    /** What no look at the cluster could change. */
    static List<String> form(Order order) {
        List<String> errors = new ArrayList<>();
        if (order.plan() != null && order.dryRun()) {
            errors.add("a dry run cannot apply a plan");
        }
        boolean names =
                !order.nodes().isEmpty() || !order.pools().isEmpty() || !order.blocks().isEmpty();
        if (order.plan() != null && names) {
            errors.add("a run that applies a plan does its items: name no nodes, pools or blocks");
        }
        return errors;
    }

    /** What the cluster, as it is seen, says against it. */
    static List<String> names(Order order, Snapshot snapshot, Instant now) {
        List<String> errors = new ArrayList<>();
        names(errors, "node", order.nodes(), snapshot.nodes()::containsKey);
        names(errors, "pool", order.pools(), snapshot.pools()::containsKey);
        names(errors, "block", order.blocks(), snapshot.blocks()::containsKey);
        if (order.plan() != null) {
            plan(errors, order.plan(), snapshot.runs().get(order.plan()), now);
        }
        return errors;
    }

    private static void names(
            List<String> errors, String kind, List<String> names, Predicate<String> known) {
        if (names.size() > Order.MOST_NAMES) {
            errors.add(
                    "%d %ss are named, allowed are %d"
                            .formatted(names.size(), kind, Order.MOST_NAMES));
            return;
        }
        for (String name : names) {
            if (!known.test(name)) {
                errors.add("there is no %s \"%s\"".formatted(kind, name));
            }
        }
    }

    private static void plan(
            List<String> errors, String name, @Nullable RunView plan, Instant now) {
        if (plan == null) {
            errors.add("there is no collection \"%s\"".formatted(name));
        } else if (!plan.dryRun()) {
            errors.add("%s is no plan: it was not a dry run".formatted(name));
        } else if (plan.phase() != RunView.Phase.COMPLETED || plan.finished() == null) {
            errors.add("plan %s is not finished".formatted(name));
        } else if (plan.appliedBy() == null && !plan.applicable(now)) {
            errors.add(
                    "plan %s is older than %s: make a new one"
                            .formatted(name, Spoken.duration(RunView.PLAN_LIFE)));
        }
    }
}
