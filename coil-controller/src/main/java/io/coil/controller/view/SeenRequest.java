package io.coil.controller.view;

import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;

import org.jspecify.annotations.Nullable;

/** A request, as far as it must be remembered to know when to look at it. */
public record SeenRequest(
        String name,
        String uid,
        String node,
        String pool,
        @Nullable String owner,
        boolean open,
        boolean beingDeleted) {

    /** Null for one that asks for nothing: the CRDs do not exclude it. */
    public static @Nullable SeenRequest of(BlockRequest request) {
        BlockRequest.@Nullable Spec spec = request.spec();
        if (spec == null || spec.nodeName() == null || spec.poolName() == null) {
            return null;
        }
        return new SeenRequest(
                Meta.name(request.metadata()),
                Meta.uid(request.metadata()),
                request.spec().nodeName(),
                request.spec().poolName(),
                Meta.ownerUid(request.metadata(), "Node"),
                request.open(),
                Meta.beingDeleted(request.metadata()));
    }
}
