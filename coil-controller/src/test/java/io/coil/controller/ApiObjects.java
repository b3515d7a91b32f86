package io.coil.controller;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeAddress;
import io.kubernetes.client.openapi.models.V1NodeCondition;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The objects that tests are told with: how they are made, and how they are read. */
abstract class ApiObjects {
    final KubeApi api;

    ApiObjects(KubeApi api) {
        this.api = api;
    }

    AddressPool pool(String name, int bits, String... subnets) {
        return pool(name, Map.of(), bits, subnets);
    }

    AddressPool pool(String name, Map<String, String> annotations, int bits, String... subnets) {
        List<AddressPool.Subnet> entries =
                Stream.of(subnets)
                        .map(
                                s ->
                                        s.contains(":")
                                                ? new AddressPool.Subnet(null, s)
                                                : new AddressPool.Subnet(s, null))
                        .toList();
        return api.create(
                Kinds.POOLS,
                new AddressPool(
                        Names.COIL_API,
                        "AddressPool",
                        new V1ObjectMeta().name(name).annotations(annotations),
                        new AddressPool.Spec(bits, entries),
                        null));
    }

    V1Node node(String name) {
        return api.create(Kinds.NODES, nodeOf(name, true));
    }

    private static V1Node nodeOf(String name, boolean ready) {
        return new V1Node()
                .apiVersion("v1")
                .kind("Node")
                .metadata(new V1ObjectMeta().name(name))
                .status(
                        new V1NodeStatus()
                                .addresses(
                                        List.of(
                                                new V1NodeAddress()
                                                        .type("InternalIP")
                                                        .address("192.0.2.1")))
                                .conditions(
                                        List.of(
                                                new V1NodeCondition()
                                                        .type("Ready")
                                                        .status(ready ? "True" : "False"))));
    }

    void ready(String node, boolean ready) {
        V1Node read = api.get(Kinds.NODES, null, node).orElseThrow();
        read.setStatus(nodeOf(node, ready).getStatus());
        api.replaceStatus(Kinds.NODES, read);
    }

    void deleteNode(String name) {
        api.delete(Kinds.NODES, null, name, Preconditions.NONE);
    }

    /** A request as an agent makes it. */
    BlockRequest request(String node, String pool) {
        return request("req-" + pool + "-" + node, node, pool);
    }

    BlockRequest request(String name, String node, String pool) {
        V1ObjectMeta meta = new V1ObjectMeta().name(name);
        api.get(Kinds.NODES, null, node)
                .ifPresent(
                        n ->
                                meta.addOwnerReferencesItem(
                                        new V1OwnerReference()
                                                .apiVersion("v1")
                                                .kind("Node")
                                                .name(node)
                                                .uid(Meta.uid(n.getMetadata()))));
        return api.create(
                Kinds.REQUESTS,
                new BlockRequest(
                        Names.COIL_API,
                        "BlockRequest",
                        meta,
                        new BlockRequest.Spec(node, pool),
                        null));
    }

    BlockRequest answer(BlockRequest request) {
        Cluster.eventually(() -> !reread(request).open());
        return reread(request);
    }

    BlockRequest reread(BlockRequest request) {
        return api.get(Kinds.REQUESTS, null, Meta.name(request.metadata())).orElseThrow();
    }

    /** A block that somebody made: with a finalizer and a node's label, of no request. */
    AddressBlock block(String pool, int index, @Nullable String node, String ipv4) {
        V1ObjectMeta meta =
                new V1ObjectMeta()
                        .name(pool + "-" + index)
                        .finalizers(List.of(Names.FINALIZER))
                        .putLabelsItem(Names.POOL, pool);
        if (node != null) {
            meta.putLabelsItem(Names.NODE, node);
        }
        return api.create(
                Kinds.BLOCKS,
                new AddressBlock(Names.COIL_API, "AddressBlock", meta, index, ipv4, null));
    }

    /** Gives a block back, as its node's agent does. */
    void giveBack(String block) {
        untilTaken(
                () ->
                        api.get(Kinds.BLOCKS, null, block)
                                .ifPresent(
                                        b ->
                                                api.delete(
                                                        Kinds.BLOCKS,
                                                        null,
                                                        block,
                                                        Preconditions.of(b.metadata()))));
        untilTaken(
                () ->
                        api.get(Kinds.BLOCKS, null, block)
                                .ifPresent(
                                        b ->
                                                api.patch(
                                                        Kinds.BLOCKS,
                                                        null,
                                                        block,
                                                        Preconditions.of(b.metadata()),
                                                        "{\"metadata\":{\"finalizers\":[]}}")));
    }

    /**
     * Others change a block, too: the collector of a kube-apiserver does when its pool is being
     * deleted. It is then read again, as the agent does; if it has gone, the controller was faster.
     */
    private static void untilTaken(Runnable step) {
        for (int left = 20; ; left--) {
            try {
                step.run();
                return;
            } catch (ApiFailure.Stale e) {
                if (e.notFound()) {
                    return;
                }
                if (left == 0) {
                    throw e;
                }
            }
        }
    }

    List<AddressBlock> blocks() {
        return api.list(Kinds.BLOCKS, Selection.ALL).items();
    }

    List<String> blockNames() {
        return blocks().stream().map(b -> Meta.name(b.metadata())).sorted().toList();
    }

    GarbageCollection run(String name, GarbageCollection.Spec spec) {
        return api.create(
                Kinds.COLLECTIONS,
                new GarbageCollection(
                        Names.OPS_API,
                        "GarbageCollection",
                        new V1ObjectMeta().name(name),
                        spec,
                        null));
    }

    GarbageCollection finished(String run) {
        Cluster.eventually(() -> api.get(Kinds.COLLECTIONS, null, run).orElseThrow().finished());
        return api.get(Kinds.COLLECTIONS, null, run).orElseThrow();
    }

    <T extends KubernetesObject> boolean exists(Kind<T> kind, String name) {
        Optional<T> object = api.get(kind, null, name);
        return object.isPresent();
    }

    /** P2, all of whose blocks are granted: two are n1's, one is n2's, one is n3's. */
    void fullPool() {
        pool("default", 1, "10.1.0.0/29");
        for (String node : List.of("n1", "n2", "n3")) {
            if (!exists(Kinds.NODES, node)) {
                node(node);
            }
        }
        answer(request("a", "n1", "default"));
        answer(request("b", "n1", "default"));
        answer(request("c", "n2", "default"));
        answer(request("d", "n3", "default"));
    }

    PoolSays says(String pool) {
        return new PoolSays(api, pool);
    }

    /** For when its holder is dead for certain: nobody need wait until it runs out. */
    void forgetLease() {
        try {
            api.delete(Kinds.LEASES, Names.LEASE_NAMESPACE, Names.LEASE, Preconditions.NONE);
        } catch (ApiFailure.Stale e) {
            // there is none
        }
    }
}
