package io.coil.simulation.api;

import io.coil.apiserver.resource.ResourceRegistry;
import io.coil.apiserver.resource.ResourceType;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kind;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** What the server knows of the kinds that programs ask for. */
final class Types {
    private final ResourceRegistry registry;
    private final Map<Kind<?>, ResourceType> known = new HashMap<>();

    Types(ResourceRegistry registry) {
        this.registry = registry;
    }

    /** Fails as a server does that serves no such kind. */
    ResourceType of(Kind<?> kind) {
        return known.computeIfAbsent(
                kind,
                k ->
                        registry.find(k.group(), k.version(), k.plural())
                                .orElseThrow(
                                        () ->
                                                new ApiFailure.Transient(
                                                        404,
                                                        ApiFailure.NO_SUCH_RESOURCE,
                                                        "no kind " + k,
                                                        Duration.ZERO,
                                                        null)));
    }
}
