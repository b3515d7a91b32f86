package io.coil.controller;

import io.coil.controller.web.Ports;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.Json;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1MutatingWebhookConfiguration;
import io.kubernetes.client.openapi.models.V1ValidatingWebhookConfiguration;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The webhook configurations that are shipped, with the ports of replicas in place of the Service:
 * each webhook once for each replica, so that a call that one of them refuses fails.
 */
final class Webhooks {
    static final Kind<V1MutatingWebhookConfiguration> MUTATING =
            new Kind<>(
                    "admissionregistration.k8s.io",
                    "v1",
                    "mutatingwebhookconfigurations",
                    "MutatingWebhookConfiguration",
                    false,
                    V1MutatingWebhookConfiguration.class);
    static final Kind<V1ValidatingWebhookConfiguration> VALIDATING =
            new Kind<>(
                    "admissionregistration.k8s.io",
                    "v1",
                    "validatingwebhookconfigurations",
                    "ValidatingWebhookConfiguration",
                    false,
                    V1ValidatingWebhookConfiguration.class);

    private static final Path SHIPPED =
            Path.of("../coil-sandbox/src/main/resources/cluster/webhooks.yaml");

    private Webhooks() {}

    static void configure(Cluster cluster, Ports... replicas) {
        configure(cluster, null, replicas);
    }

    /**
     * A server hears of a configuration a little later than it is created; this waits until it
     * asks.
     *
     * @param authority of the replicas' certificates (PEM), if they did not make them themselves
     */
    static void configure(Cluster cluster, @Nullable String authority, Ports... replicas) {
        for (Object document : new Yaml().loadAll(shipped())) {
            Map<String, Object> configuration = map(document);
            List<Object> webhooks = new ArrayList<>();
            for (Object webhook : (List<?>) Objects.requireNonNull(configuration.get("webhooks"))) {
                for (int i = 0; i < replicas.length; i++) {
                    String made = replicas[i].webhookCertificate();
                    webhooks.add(
                            at(replicas[i], authority == null ? made : authority, i, map(webhook)));
                }
            }
            configuration.put("webhooks", webhooks);
            create(cluster, configuration);
        }
        Cluster.eventually(() -> isAsked(cluster));
    }

    private static boolean isAsked(Cluster cluster) {
        try {
            cluster.pool("is-it-asked", 40, "fd00::/64");
            cluster.api.delete(Kinds.POOLS, null, "is-it-asked", Preconditions.NONE);
            return false;
        } catch (ApiFailure.Rejected tooLarge) {
            return true;
        }
    }

    private static void create(Cluster cluster, Map<String, Object> configuration) {
        String json = Json.write(configuration);
        KubernetesObject _ =
                MUTATING.kind().equals(configuration.get("kind"))
                        ? cluster.api.create(MUTATING, Json.read(json, MUTATING.type()))
                        : cluster.api.create(VALIDATING, Json.read(json, VALIDATING.type()));
    }

    private static Map<String, Object> at(
            Ports ports, @Nullable String authority, int replica, Map<String, Object> webhook) {
        Map<String, Object> client = map(webhook.get("clientConfig"));
        Map<String, Object> service = map(client.get("service"));
        Map<String, Object> there = new LinkedHashMap<>();
        there.put("url", ports.webhookUri() + String.valueOf(service.get("path")));
        if (authority != null) {
            there.put(
                    "caBundle",
                    Base64.getEncoder()
                            .encodeToString(authority.getBytes(StandardCharsets.US_ASCII)));
        }
        Map<String, Object> moved = new LinkedHashMap<>(webhook);
        moved.put("name", "r%d.%s".formatted(replica, webhook.get("name")));
        moved.put("clientConfig", there);
        return moved;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(@Nullable Object value) {
        return (Map<String, Object>) Objects.requireNonNull(value);
    }

    private static String shipped() {
        try {
            Path file = Files.exists(SHIPPED) ? SHIPPED : Path.of(SHIPPED.toString().substring(3));
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
