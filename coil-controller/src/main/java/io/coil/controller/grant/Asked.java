package io.coil.controller.grant;

import io.coil.controller.view.SeenPool;
import io.coil.core.grant.PoolView;
import io.coil.core.grant.RequestView;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;

import org.jspecify.annotations.Nullable;

/** What was read of a request and its pool, as a grant is decided from it. */
final class Asked {
    private Asked() {}

    static RequestView request(BlockRequest request) {
        return new RequestView(
                Meta.uid(request.metadata()),
                request.spec().nodeName(),
                request.spec().poolName(),
                request.intent(),
                Meta.beingDeleted(request.metadata()),
                !request.open());
    }

    static @Nullable PoolView pool(@Nullable AddressPool pool) {
        if (pool == null) {
            return null;
        }
        SeenPool seen = SeenPool.of(pool);
        return new PoolView(
                seen.uid(),
                seen.beingDeleted(),
                seen.switches().drain(),
                seen.reading(),
                seen.switches().maxBlocksPerNode());
    }
}
