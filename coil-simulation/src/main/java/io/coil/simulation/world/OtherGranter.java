package io.coil.simulation.world;

import io.coil.core.pool.BlockRange;
import io.coil.core.pool.PoolReading;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Finalizers;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.simulation.api.DirectApi;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;

import java.util.List;
import java.util.Map;

/**
 * Makes blocks that nobody asked for, as Coil's own controller could: looks and writes in one step,
 * and of no pool that its own webhook has not seen.
 */
final class OtherGranter {
    private final Ground ground;
    private final DirectApi api;

    OtherGranter(Ground ground) {
        this.ground = ground;
        this.api = ground.as("other-granter");
    }

    void grant(String name, String node) {
        AddressPool pool = api.get(Kinds.POOLS, null, name).orElse(null);
        if (pool == null
                || Meta.beingDeleted(pool.metadata())
                || !Finalizers.has(pool.metadata())
                || !ground.facts().hasNode(node)) {
            return;
        }
        if (!(PoolReading.of(pool.toCore()) instanceof PoolReading.Understood(var spec))) {
            return;
        }
        for (int index = 0; spec.hasBlock(index); index++) {
            BlockRange range = spec.blockAt(index);
            if (isFree(name + "-" + index, range)) {
                create(pool, index, range, node);
                return;
            }
        }
    }

    private boolean isFree(String block, BlockRange range) {
        return ground.facts().blocks().stream()
                .noneMatch(
                        b ->
                                b.name().equals(block)
                                        || (b.range() != null && range.overlaps(b.range())));
    }

    private void create(AddressPool pool, int index, BlockRange range, String node) {
        String name = Meta.name(pool.metadata());
        V1ObjectMeta meta =
                new V1ObjectMeta()
                        .name(name + "-" + index)
                        .labels(Map.of(Names.POOL, name, Names.NODE, node))
                        .finalizers(List.of(Names.FINALIZER))
                        .addOwnerReferencesItem(
                                new V1OwnerReference()
                                        .apiVersion(Names.COIL_API)
                                        .kind("AddressPool")
                                        .name(name)
                                        .uid(Meta.uid(pool.metadata()))
                                        .controller(true)
                                        .blockOwnerDeletion(true));
        api.create(
                Kinds.BLOCKS,
                new AddressBlock(
                        Names.COIL_API,
                        "AddressBlock",
                        meta,
                        index,
                        String.valueOf(range.ipv4()),
                        null));
        ground.trace().add("other-granter", () -> "makes " + meta.getName() + " for " + node);
    }
}
