package io.coil.agent.request;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The one request of a node for a pool, as an object of the API: there is at most one, by its name.
 */
final class OwnRequest {
    private final KubeApi api;
    private final String node;
    private final String pool;
    private final String name;

    OwnRequest(KubeApi api, String node, String pool) {
        this.api = api;
        this.node = node;
        this.pool = pool;
        this.name = RequestName.of(pool, node);
    }

    String name() {
        return name;
    }

    /** As it is now. */
    Optional<BlockRequest> live() {
        return api.get(Kinds.REQUESTS, null, name);
    }

    /**
     * Makes it, owned by the Node with the UID that the Node has at this moment: a request of an
     * earlier Node is stray. Returns its UID.
     */
    String create() {
        V1Node owner =
                api.get(Kinds.NODES, null, node)
                        .orElseThrow(
                                () ->
                                        new ApiFailure.Transient(
                                                404,
                                                "NotFound",
                                                "there is no Node \"%s\"".formatted(node),
                                                Duration.ofSeconds(1),
                                                null));
        V1ObjectMeta meta =
                new V1ObjectMeta()
                        .name(name)
                        .labels(Map.of(Names.NODE, node, Names.POOL, pool))
                        .addOwnerReferencesItem(
                                new V1OwnerReference()
                                        .apiVersion("v1")
                                        .kind("Node")
                                        .name(node)
                                        .uid(Meta.uid(owner.getMetadata())));
        BlockRequest made =
                api.create(
                        Kinds.REQUESTS,
                        new BlockRequest(
                                Kinds.REQUESTS.apiVersion(),
                                Kinds.REQUESTS.kind(),
                                meta,
                                new BlockRequest.Spec(node, pool),
                                null));
        return Meta.uid(made.metadata());
    }

    /** Deletes it if it is still what {@code must} says; gone already is as good. */
    void delete(Preconditions must) {
        try {
            api.delete(Kinds.REQUESTS, null, name, must);
        } catch (ApiFailure.Stale e) {
            if (!e.notFound()) {
                throw e;
            }
        }
    }
}
