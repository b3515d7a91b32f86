package io.coil.bench.storm;

import io.coil.bench.api.Lines;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Finalizers;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The calls that a node's agent makes to get a block and to give it back, in its order: two writes
 * to ask and to fetch, two to give back, and the live reads between them.
 */
final class StormNode {
    private final String name;
    private final String pool;
    private final Lines lines;
    private final Map<String, String> label;

    StormNode(String name, String pool, Lines lines, Map<String, String> label) {
        this.name = name;
        this.pool = pool;
        this.lines = lines;
        this.label = label;
    }

    /** Looks for its request, finds none, makes one; returns the UID. */
    String ask() throws InterruptedException {
        Optional<BlockRequest> there =
                lines.call(api -> api.get(Kinds.REQUESTS, null, requestName()));
        if (there.isPresent()) {
            throw new IllegalStateException("a request of before: " + requestName());
        }
        V1Node node = lines.call(api -> api.get(Kinds.NODES, null, name)).orElseThrow();
        return make(node);
    }

    private String make(V1Node node) throws InterruptedException {
        BlockRequest request = request(Meta.uid(node.getMetadata()));
        return Meta.uid(lines.call(api -> api.create(Kinds.REQUESTS, request)).metadata());
    }

    private String requestName() {
        return "req-" + pool + "-" + name;
    }

    BlockRequest request(String nodeUid) {
        Map<String, String> labels = new HashMap<>(label);
        labels.put(Names.NODE, name);
        labels.put(Names.POOL, pool);
        return new BlockRequest(
                Names.COIL_API,
                Kinds.REQUESTS.kind(),
                new V1ObjectMeta()
                        .name(requestName())
                        .labels(labels)
                        .addOwnerReferencesItem(
                                new V1OwnerReference()
                                        .apiVersion("v1")
                                        .kind("Node")
                                        .name(name)
                                        .uid(nodeUid)),
                new BlockRequest.Spec(name, pool),
                null);
    }

    /** Fetches the block of its request, which is complete; returns the block's name. */
    String fetch() throws InterruptedException {
        BlockRequest request =
                lines.call(api -> api.get(Kinds.REQUESTS, null, requestName())).orElseThrow();
        String uid = Meta.uid(request.metadata());
        String block = request.intent();
        if (!request.complete() || block == null) {
            throw new IllegalStateException("not complete, though we were told so: " + request);
        }
        requireOurs(block, uid);
        if (lines.call(api -> api.get(Kinds.POOLS, null, pool)).isEmpty()) {
            throw new IllegalStateException("there is no pool " + pool);
        }
        lines.run(api -> api.delete(Kinds.REQUESTS, null, requestName(), Preconditions.uid(uid)));
        return block;
    }

    private void requireOurs(String block, String request) throws InterruptedException {
        AddressBlock live = lines.call(api -> api.get(Kinds.BLOCKS, null, block)).orElseThrow();
        if (!name.equals(live.node()) || !request.equals(live.request())) {
            throw new IllegalStateException("block %s is not of node %s".formatted(block, name));
        }
    }

    /** Gives the block back: DELETE, then the finalizer. */
    void giveBack(String block) throws InterruptedException {
        AddressBlock held = lines.call(api -> api.get(Kinds.BLOCKS, null, block)).orElseThrow();
        Optional<AddressBlock> going =
                lines.call(
                        api ->
                                api.delete(
                                        Kinds.BLOCKS,
                                        null,
                                        block,
                                        Preconditions.of(held.metadata())));
        if (going.isPresent()) {
            lines.run(api -> takeFinalizerOff(api, block, going.get()));
        }
    }

    private static void takeFinalizerOff(KubeApi api, String block, AddressBlock going) {
        Finalizers.without(going.metadata()).ifPresent(patch -> patch(api, block, going, patch));
    }

    private static void patch(KubeApi api, String block, AddressBlock going, String patch) {
        try {
            api.patch(Kinds.BLOCKS, null, block, Preconditions.of(going.metadata()), patch);
        } catch (ApiFailure.Stale e) {
            if (!e.notFound()) {
                throw e;
            }
        }
    }
}
