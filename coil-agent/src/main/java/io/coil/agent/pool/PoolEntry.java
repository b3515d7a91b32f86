package io.coil.agent.pool;

import io.coil.core.pool.PoolSwitches;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.kubernetes.client.openapi.models.V1Namespace;

/** What an agent keeps of a pool. */
public record PoolEntry(String uid, boolean beingDeleted, PoolSwitches switches) {

    public static PoolEntry of(AddressPool pool) {
        return new PoolEntry(
                Meta.uid(pool.metadata()),
                Meta.beingDeleted(pool.metadata()),
                PoolSwitches.parse(Meta.annotations(pool.metadata())).switches());
    }

    /** The pool of pods of a namespace: its annotation, else the default one. */
    public static String chosenBy(V1Namespace namespace) {
        String named = Meta.annotation(namespace.getMetadata(), Names.NAMESPACE_POOL);
        return named == null || named.isEmpty() ? Names.DEFAULT_POOL : named;
    }
}
