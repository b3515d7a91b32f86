package io.coil.agent.collect;

import io.coil.agent.kernel.PodLink;
import io.coil.core.garbage.Rule;
import io.coil.core.holdings.Assignment;
import io.coil.core.holdings.ContainerKey;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Compares who has an address with whose link is there. Only the link counts: what a pod's status
 * says, or that there is no such pod, is no evidence.
 */
final class ContainerLook {
    private final Items items;
    private final Duration grace;
    private final LinkLooks looks = new LinkLooks();

    ContainerLook(Items items, Duration grace) {
        this.items = items;
        this.grace = grace;
    }

    /** {@code began}: before the links were read, on the monotonic clock. */
    List<Finding> look(List<Assignment> assignments, List<PodLink> links, long began) {
        List<Finding> findings = new ArrayList<>();
        Set<ContainerKey> linked = links.stream().map(PodLink::key).collect(Collectors.toSet());
        for (LinkLooks.Missing missing : looks.look(assignments, linked, began)) {
            findings.add(vanished(missing, assignments));
        }
        for (Assignment assignment : assignments) {
            if (assignment.homeless() && linked.contains(assignment.key())) {
                findings.add(foreign(assignment));
            }
        }
        return findings;
    }

    private Finding foreign(Assignment homeless) {
        return Finding.ripe(
                items.address(
                        Rule.FOREIGN_ADDRESS,
                        homeless,
                        "container %s has this address, and it lies in no block of this node; it may be another's by now"
                                .formatted(homeless.key()),
                        Duration.ZERO),
                new Finding.Act.Report());
    }

    private Finding vanished(LinkLooks.Missing missing, List<Assignment> all) {
        Assignment gone = missing.assignment();
        Duration age = Duration.ofNanos(missing.missingNanos());
        Assignment newer = newerSandbox(gone, all);
        String evidence =
                "the link of %s is missing, first seen %d s ago"
                        .formatted(gone.key(), age.toSeconds());
        if (newer != null) {
            evidence +=
                    ", and pod %s has sandbox %s now"
                            .formatted(gone.pod(), newer.key().containerId());
        }
        return new Finding(
                items.address(
                        newer == null ? Rule.VANISHED_CONTAINER : Rule.SUPERSEDED_SANDBOX,
                        gone,
                        evidence,
                        age),
                new Finding.Act.FreeAddress(gone.key(), gone.sinceNanos()),
                age.compareTo(grace) >= 0,
                "it is freed when it is still missing %d s after the first look"
                        .formatted(grace.toSeconds()));
    }

    private static @Nullable Assignment newerSandbox(Assignment old, List<Assignment> all) {
        if (old.pod() == null) {
            return null;
        }
        return all.stream()
                .filter(a -> old.pod().equals(a.pod()) && !a.key().equals(old.key()))
                .filter(a -> a.key().ifname().equals(old.key().ifname()) && a.attached())
                .filter(a -> a.sinceNanos() - old.sinceNanos() > 0)
                .findFirst()
                .orElse(null);
    }
}
