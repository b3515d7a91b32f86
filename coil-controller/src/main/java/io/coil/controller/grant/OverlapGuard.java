package io.coil.controller.grant;

import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenPool;
import io.coil.core.pool.BlockName;
import io.coil.core.pool.BlockRange;
import io.coil.core.pool.PoolSpec;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;

import java.util.List;
import java.util.Optional;

/**
 * Keeps blocks of overlapping pools apart although two controllers grant at once, each believing to
 * lead. The name of a block does not do it, for those names differ. So each first records what it
 * intends, and then looks, live, at what others have recorded and made: of two, at least one sees
 * the other, and gives way.
 *
 * <p>Costs two lists a grant, and only while pools overlap, which admission does not allow.
 */
final class OverlapGuard {
    private final KubeApi api;
    private final ClusterView view;
    private final Ledger ledger;
    private final LiveBlocks blocks;

    OverlapGuard(KubeApi api, ClusterView view, Ledger ledger, LiveBlocks blocks) {
        this.api = api;
        this.view = view;
        this.ledger = ledger;
        this.blocks = blocks;
    }

    /**
     * The block that is in the way, made or intended by somebody else. To be asked after the intent
     * of {@code requestUid} is in the API, and before its block is made.
     */
    Optional<String> inTheWay(String requestUid, String pool, String block, BlockRange range) {
        List<PoolSpec> overlapping = overlapping(pool, range);
        if (overlapping.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> intended =
                api.list(Kinds.REQUESTS, Selection.ALL).items().stream()
                        .filter(r -> !Meta.uid(r.metadata()).equals(requestUid) && r.open())
                        .filter(r -> intends(r, overlapping, range))
                        .map(r -> String.valueOf(r.intent()))
                        .findFirst();
        if (intended.isPresent()) {
            return intended;
        }
        overlapping.forEach(p -> blocks.read(p.name()));
        return ledger.overlapping(block, range);
    }

    private List<PoolSpec> overlapping(String pool, BlockRange range) {
        return view.pools().stream()
                .filter(p -> !p.name().equals(pool))
                .map(SeenPool::spec)
                .filter(p -> p != null && meets(p, range))
                .toList();
    }

    private static boolean meets(PoolSpec pool, BlockRange range) {
        return pool.subnets().stream()
                .flatMap(s -> s.ranges().stream())
                .anyMatch(r -> range.ranges().stream().anyMatch(r::overlaps));
    }

    private static boolean intends(BlockRequest request, List<PoolSpec> pools, BlockRange range) {
        return Optional.ofNullable(request.intent())
                .flatMap(BlockName::parse)
                .flatMap(
                        name ->
                                pools.stream()
                                        .filter(p -> p.name().equals(name.pool()))
                                        .filter(p -> p.hasBlock(name.index()))
                                        .map(p -> p.blockAt(name.index()))
                                        .findFirst())
                .filter(range::overlaps)
                .isPresent();
    }
}
