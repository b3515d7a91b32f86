package io.coil.controller.pool;

import io.coil.controller.work.FinalizerOff;
import io.coil.controller.work.KeyedWork;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Finalizers;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.Optional;

/**
 * A pool stays while it has blocks: our finalizer is put on if nobody did (the webhook may have
 * been away), and goes after a live list of its blocks, from that very pool.
 */
public final class PoolGuard implements KeyedWork.Look<String> {
    private static final Logger LOG = LoggerFactory.getLogger(PoolGuard.class);

    /** Besides the watch, which says when the last block has gone. */
    private static final Duration POLL = Duration.ofSeconds(5);

    private final KubeApi api;

    public PoolGuard(KubeApi api) {
        this.api = api;
    }

    @Override
    public @Nullable Duration at(String name) {
        Optional<AddressPool> read = api.get(Kinds.POOLS, null, name);
        if (read.isEmpty()) {
            return null;
        }
        AddressPool pool = read.get();
        boolean guarded = Finalizers.has(pool.metadata());
        if (!Meta.beingDeleted(pool.metadata())) {
            Finalizers.with(pool.metadata())
                    .ifPresent(
                            patch ->
                                    api.patch(
                                            Kinds.POOLS,
                                            null,
                                            name,
                                            Preconditions.of(pool.metadata()),
                                            patch));
            return null;
        }
        if (!guarded) {
            return null;
        }
        if (hasBlocks(name)) {
            return POLL;
        }
        FinalizerOff.of(api, Kinds.POOLS, pool);
        LOG.atInfo().addKeyValue("pool", name).log("pool has no blocks, let go");
        return null;
    }

    private boolean hasBlocks(String pool) {
        return !api.list(Kinds.BLOCKS, Selection.labelled(Names.POOL, pool)).items().isEmpty();
    }
}
