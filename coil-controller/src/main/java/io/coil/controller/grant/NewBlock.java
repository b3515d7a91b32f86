package io.coil.controller.grant;

import io.coil.core.net.Cidr;
import io.coil.core.pool.BlockRange;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** A block as it is granted: named by its index, labelled, kept by a finalizer, the pool's own. */
final class NewBlock {
    private NewBlock() {}

    static AddressBlock of(
            String name, int index, BlockRange range, AddressPool pool, BlockRequest request) {
        V1ObjectMeta meta =
                new V1ObjectMeta()
                        .name(name)
                        .putLabelsItem(Names.POOL, request.spec().poolName())
                        .putLabelsItem(Names.NODE, request.spec().nodeName())
                        .putLabelsItem(Names.REQUEST, Meta.uid(request.metadata()))
                        .finalizers(List.of(Names.FINALIZER))
                        .ownerReferences(
                                List.of(
                                        new V1OwnerReference()
                                                .apiVersion(Names.COIL_API)
                                                .kind("AddressPool")
                                                .name(Meta.name(pool.metadata()))
                                                .uid(Meta.uid(pool.metadata()))
                                                .controller(true)
                                                .blockOwnerDeletion(true)));
        return new AddressBlock(
                Names.COIL_API,
                "AddressBlock",
                meta,
                index,
                text(range.ipv4()),
                text(range.ipv6()));
    }

    private static @Nullable String text(@Nullable Cidr range) {
        return range == null ? null : range.toString();
    }
}
