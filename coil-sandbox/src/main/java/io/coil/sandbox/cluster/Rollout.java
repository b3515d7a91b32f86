package io.coil.sandbox.cluster;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How many pods each replica set of a deployment is to have next: the arithmetic of a rolling
 * update, or of Recreate.
 *
 * @param maxSurge pods beyond {@code replicas} that may exist meanwhile
 * @param maxUnavailable pods of {@code replicas} that may be missing meanwhile
 */
record Rollout(int replicas, boolean recreate, int maxSurge, int maxUnavailable) {

    /**
     * One replica set.
     *
     * @param current it has the deployment's present template
     * @param wanted pods that its spec asks for
     * @param existing pods that it has, ending ones too
     * @param ready pods that are ready
     */
    record Set(String name, boolean current, int wanted, int existing, int ready) {}

    /** Wanted pods by the name of the set, oldest set first in {@code sets}. */
    Map<String, Integer> next(List<Set> sets) {
        return recreate ? recreate(sets) : rolling(sets);
    }

    private Map<String, Integer> recreate(List<Set> sets) {
        boolean oldPods = sets.stream().anyMatch(s -> !s.current() && s.existing() > 0);
        Map<String, Integer> next = new LinkedHashMap<>();
        for (Set set : sets) {
            next.put(set.name(), set.current() && !oldPods ? replicas : 0);
        }
        return next;
    }

    private Map<String, Integer> rolling(List<Set> sets) {
        Map<String, Integer> next = new LinkedHashMap<>();
        int wanted = sets.stream().mapToInt(Set::wanted).sum();
        int ready = sets.stream().mapToInt(s -> Math.min(s.ready(), s.wanted())).sum();
        int needed = Math.max(0, replicas - maxUnavailable);
        int removable = Math.max(0, ready - needed);
        for (Set set : sets) {
            if (set.current()) {
                int room = Math.max(0, replicas + maxSurge - wanted);
                next.put(set.name(), Math.min(replicas, set.wanted() + room));
            } else {
                int notReady = Math.max(0, set.wanted() - set.ready());
                int drop = Math.min(set.wanted(), notReady + removable);
                removable -= Math.max(0, drop - notReady);
                next.put(set.name(), set.wanted() - drop);
            }
        }
        return next;
    }
}
