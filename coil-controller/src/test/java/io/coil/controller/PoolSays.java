package io.coil.controller;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.kubernetes.client.openapi.models.V1Condition;

import java.util.Objects;
import java.util.Optional;

/** What a pool's object says now. */
record PoolSays(KubeApi api, String name) {
    AddressPool pool() {
        return api.get(Kinds.POOLS, null, name).orElseThrow();
    }

    /** Whether it has our finalizer. */
    boolean guarded() {
        return Meta.finalizers(pool().metadata()).contains(Names.FINALIZER);
    }

    AddressPool.Status status() {
        return Objects.requireNonNull(pool().status());
    }

    AddressPool.Count blocks() {
        return Objects.requireNonNull(status().blocks());
    }

    AddressPool.Count addresses() {
        return Objects.requireNonNull(status().addresses());
    }

    V1Condition condition(String type) {
        return Optional.ofNullable(status().conditions()).orElseThrow().stream()
                .filter(c -> c.getType().equals(type))
                .findFirst()
                .orElseThrow();
    }

    String message(String type) {
        return condition(type).getMessage();
    }
}
