package io.coil.admin.web;

import io.coil.admin.snapshot.BlockView;
import io.coil.admin.snapshot.Observed;
import io.coil.admin.snapshot.PoolView;
import io.coil.admin.snapshot.Snapshot;
import io.coil.admin.snapshot.Spoken;
import io.coil.kubernetes.resource.Names;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A block that keeps its pool from going: who uses it, and what would free it.
 *
 * @param users empty: nobody does
 * @param pods their names, a few; null: none is known
 */
public record InTheWay(
        String name,
        @Nullable String node,
        String flag,
        Tag state,
        String users,
        @Nullable String pods,
        String frees) {
    private static final int NAMED = 4;

    static List<InTheWay> of(PoolView pool, List<BlockView> blocks, Snapshot image, Instant now) {
        Map<Integer, TreeSet<String>> pods = podsByIndex(pool, image);
        Map<String, String> pools = poolByNamespace(image);
        List<InTheWay> rows = new ArrayList<>();
        for (BlockView block : blocks) {
            List<String> names = List.copyOf(pods.getOrDefault(block.index(), new TreeSet<>()));
            rows.add(
                    new InTheWay(
                            block.name(),
                            block.node(),
                            block.state().candidate() ? "flag" : "",
                            Tag.of(block.state()),
                            users(block, names, now),
                            some(names),
                            frees(block, names, pool.name(), pools)));
        }
        return rows;
    }

    /** One look at each pod, however many blocks there are. */
    private static Map<Integer, TreeSet<String>> podsByIndex(PoolView pool, Snapshot image) {
        Map<Integer, TreeSet<String>> byIndex = new HashMap<>();
        if (pool.spec() == null) {
            return byIndex;
        }
        for (var entry : image.pods().entrySet()) {
            OptionalInt index = pool.spec().indexOf(entry.getKey());
            if (index.isPresent()) {
                Observed.Pod pod = entry.getValue();
                byIndex.computeIfAbsent(index.getAsInt(), i -> new TreeSet<>()).add(pod.toString());
            }
        }
        return byIndex;
    }

    private static Map<String, String> poolByNamespace(Snapshot image) {
        Map<String, String> pools = new HashMap<>();
        image.pools()
                .values()
                .forEach(p -> p.namespaces().forEach(namespace -> pools.put(namespace, p.name())));
        return pools;
    }

    private static String users(BlockView block, List<String> pods, Instant now) {
        if (block.empty()) {
            return block.emptySince() == null
                    ? "nobody"
                    : "nobody for " + Spoken.duration(Duration.between(block.emptySince(), now));
        }
        return pods.isEmpty()
                ? Spoken.count(block.used(), "address") + " in use, no pod shows them"
                : Spoken.count(pods.size(), "pod");
    }

    private static @Nullable String some(List<String> pods) {
        if (pods.isEmpty()) {
            return null;
        }
        String named = String.join(", ", pods.subList(0, Math.min(NAMED, pods.size())));
        return pods.size() > NAMED
                ? named + " and " + Spoken.number(pods.size() - NAMED) + " more"
                : named;
    }

    private static String frees(
            BlockView block, List<String> pods, String pool, Map<String, String> pools) {
        return switch (block.state()) {
            case RESERVED -> "taking off its label " + Names.RESERVED;
            case UNHELD -> "deleting it with kubectl, if nobody uses it: it names no node";
            case ORPHAN -> "nothing: the controller deletes it once it has seen the node gone";
            case DEAD ->
                    "its node coming back; or releasing the block by force, if the machine is off";
            case RETURNING -> "nothing: it is on its way back";
            case SPARE, SURPLUS, EMPTY, UNREPORTED -> emptied(block);
            case SERVING, DRAINING -> restart(pods, pool, pools);
        };
    }

    private static String emptied(BlockView block) {
        return switch (block.mode()) {
            case ON -> "nothing: its agent gives it back";
            case MANUAL ->
                    "a collection that names it, or applies a plan: collection is manual here";
            case OFF -> "switching collection on: it is off here, and nothing is collected";
        };
    }

    /** A pod that comes back into a namespace of this pool gets no address: say that too. */
    private static String restart(List<String> pods, String pool, Map<String, String> pools) {
        if (pods.isEmpty()) {
            return "a collection that frees addresses of containers that are gone";
        }
        String what = pods.size() == 1 ? "restarting this pod" : "restarting these pods";
        String still =
                pods.stream()
                        .map(p -> p.substring(0, p.indexOf('/')))
                        .distinct()
                        .filter(n -> pools.getOrDefault(n, Names.DEFAULT_POOL).equals(pool))
                        .collect(Collectors.joining(", "));
        return still.isEmpty()
                ? what
                : what + ", after another pool has been chosen for namespace " + still;
    }
}
