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

    public static SeenRequest of(BlockRequest request) {
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
