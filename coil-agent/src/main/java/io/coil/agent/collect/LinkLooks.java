package io.coil.agent.collect;

import io.coil.core.holdings.Assignment;
import io.coil.core.holdings.ContainerKey;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Remembers since when the link of an assignment is missing. A link counts as missing only if the
 * assignment was there, attached, before the dump that lacks it began.
 */
final class LinkLooks {

    /** An assignment without a link; {@code missingNanos} since the first look that said so. */
    record Missing(Assignment assignment, long missingNanos) {}

    private final Map<ContainerKey, Long> firstLook = new HashMap<>(); // guarded by this

    synchronized List<Missing> look(
            List<Assignment> assignments, Set<ContainerKey> linked, long dumpBegan) {
        List<Missing> missing = new ArrayList<>();
        Set<ContainerKey> gone = new HashSet<>();
        for (Assignment assignment : assignments) {
            boolean there =
                    !assignment.attached()
                            || assignment.sinceNanos() - dumpBegan >= 0
                            || linked.contains(assignment.key());
            if (!there) {
                gone.add(assignment.key());
                long first = firstLook.computeIfAbsent(assignment.key(), k -> dumpBegan);
                missing.add(new Missing(assignment, Math.max(0, dumpBegan - first)));
            }
        }
        firstLook.keySet().retainAll(gone);
        return missing;
    }
}
