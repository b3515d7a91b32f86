package io.coil.simulation.world;

import io.coil.apiserver.lifecycle.Operations.Propagation;
import io.coil.core.pool.PoolSwitches;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Names;
import io.coil.simulation.api.DirectApi;
import io.coil.simulation.check.Facts;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What people do with kubectl. */
public final class People {
    private static final Map<String, String> SUBNETS =
            Map.of("default", "10.1.0.0/28", "other", "10.2.0.0/29");

    private static final List<Propagation> HOW =
            List.of(Propagation.BACKGROUND, Propagation.FOREGROUND, Propagation.ORPHAN);

    private final Ground ground;
    private final DirectApi api;
    private int runs;
    private @Nullable String plan;

    /** How many addresses the pool of that name has. */
    static int addresses(String pool) {
        String subnet = SUBNETS.getOrDefault(pool, "10.9.0.0/32");
        return 1 << (32 - Integer.parseInt(subnet.substring(subnet.indexOf('/') + 1)));
    }

    People(Ground ground) {
        this.ground = ground;
        this.api = ground.as("user");
    }

    void namespace(String name) {
        if (api.get(Kinds.NAMESPACES, null, name).isEmpty()) {
            api.create(
                    Kinds.NAMESPACES,
                    new V1Namespace()
                            .metadata(
                                    new V1ObjectMeta()
                                            .name(name)
                                            .annotations(Map.of(Names.NAMESPACE_POOL, name))));
        }
    }

    /** Makes the pool unless one of that name is there. */
    void makePool(String name, int how) {
        int bits = how % 8;
        V1ObjectMeta meta = new V1ObjectMeta().name(name);
        if (how % 16 >= 8) {
            meta.annotations(Map.of(PoolSwitches.REUSE_DELAY, "15s"));
        }
        if (how >= 16) {
            meta.addFinalizersItem(Names.FINALIZER);
        }
        String subnet = SUBNETS.get(name);
        if (subnet == null || api.get(Kinds.POOLS, null, name).isPresent()) {
            return;
        }
        tried(
                () ->
                        api.create(
                                Kinds.POOLS,
                                new AddressPool(
                                        Names.COIL_API,
                                        "AddressPool",
                                        meta,
                                        new AddressPool.Spec(
                                                bits,
                                                List.of(new AddressPool.Subnet(subnet, null))),
                                        null)));
        said(() -> "makes pool %s, blocks of %d".formatted(name, 1 << bits));
    }

    void deletePool(String name, int how) {
        if (ground.facts().pool(name) != null) {
            Propagation propagation = HOW.get(Math.floorMod(how, HOW.size()));
            tried(() -> api.delete(Kinds.POOLS, name, propagation));
            said(() -> "deletes pool %s, %s".formatted(name, propagation));
        }
    }

    void deleteBlock(long which) {
        Facts.Block block = nth(ground.facts().blocks(), which);
        if (block != null) {
            tried(() -> api.delete(Kinds.BLOCKS, null, block.name(), Preconditions.NONE));
            said(() -> "deletes block %s of %s".formatted(block.name(), block.node()));
        }
    }

    void deleteBlocksOf(String node) {
        for (Facts.Block block : List.copyOf(ground.facts().blocks())) {
            if (node.equals(block.node())) {
                tried(() -> api.delete(Kinds.BLOCKS, null, block.name(), Preconditions.NONE));
                said(() -> "deletes block %s of dead %s".formatted(block.name(), node));
            }
        }
    }

    void deleteRequest(long which) {
        Facts.Request request = nth(ground.facts().requests(), which);
        if (request != null) {
            tried(() -> api.delete(Kinds.REQUESTS, null, request.name(), Preconditions.NONE));
            said(() -> "deletes request %s".formatted(request.name()));
        }
    }

    /** What a person may write on a block without meaning anything by it. */
    void touchBlock(long which) {
        Facts.Block block = nth(ground.facts().blocks(), which);
        if (block != null) {
            String patch =
                    "{\"metadata\":{\"annotations\":{\"note\":\"%d\"}}}".formatted(ground.nanos());
            tried(() -> api.patch(Kinds.BLOCKS, null, block.name(), Preconditions.NONE, patch));
            said(() -> "touches block %s".formatted(block.name()));
        }
    }

    void collect(long how) {
        if (how == 1 && plan == null) {
            return;
        }
        String name = "run-" + ++runs;
        tried(
                () ->
                        api.create(
                                Kinds.COLLECTIONS,
                                new GarbageCollection(
                                        Names.OPS_API,
                                        "GarbageCollection",
                                        new V1ObjectMeta().name(name),
                                        new GarbageCollection.Spec(
                                                null,
                                                null,
                                                null,
                                                how == 0,
                                                how == 1 ? plan : null,
                                                "simulated"),
                                        null)));
        if (how == 0) {
            plan = name;
        }
        String way = how == 0 ? "dry" : how == 1 ? "planned" : "direct";
        said(() -> "asks for collection %s, %s".formatted(name, way));
    }

    private void tried(Runnable act) {
        try {
            act.run();
        } catch (ApiFailure e) {
            said(() -> "is refused: %s".formatted(String.valueOf(e.getMessage())));
        }
    }

    private static <T> @Nullable T nth(Collection<T> all, long which) {
        List<T> list = List.copyOf(all);
        return list.isEmpty() ? null : list.get(Math.floorMod(which, list.size()));
    }

    private void said(Supplier<String> what) {
        ground.trace().add("user", what);
    }
}
