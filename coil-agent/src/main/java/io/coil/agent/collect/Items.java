package io.coil.agent.collect;

import io.coil.core.garbage.Rule;
import io.coil.core.holdings.Assignment;
import io.coil.core.holdings.BlockView;
import io.coil.core.net.Cidr;
import io.coil.kubernetes.resource.RunItem;

import java.time.Duration;

/** How findings of one node are shown in runs: not acted on yet. */
record Items(String node) {

    RunItem block(BlockView block, String evidence) {
        return new RunItem(
                Rule.SURPLUS_BLOCK.text(),
                "Block",
                block.id().name(),
                block.id().uid(),
                block.id().name(),
                block.id().pool(),
                node,
                evidence,
                Duration.ofNanos(block.emptyForNanos()).toSeconds(),
                RunItem.PLANNED,
                null);
    }

    RunItem address(Rule rule, Assignment assignment, String evidence, Duration age) {
        return new RunItem(
                rule.text(),
                "Address",
                assignment.addresses().getFirst().toString(),
                assignment.key().containerId(),
                assignment.homeless() ? null : assignment.block(),
                assignment.pool(),
                node,
                evidence,
                age.toSeconds(),
                RunItem.PLANNED,
                null);
    }

    RunItem route(Cidr route, String evidence) {
        return new RunItem(
                Rule.STRAY_ROUTE.text(),
                "Route",
                route.toString(),
                null,
                null,
                null,
                node,
                evidence,
                0,
                RunItem.PLANNED,
                null);
    }
}
