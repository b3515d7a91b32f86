package io.coil.simulation.api;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.Operations.FieldValidation;
import io.coil.apiserver.lifecycle.Operations.WriteQuery;
import io.coil.apiserver.resource.ResourceType;
import io.coil.apiserver.storage.Storage;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/**
 * The webhooks of pools and of collections, as the chart configures them; but what they do not
 * answer is let through. Refused, as the chart has it, is the milder fault: then nothing happens.
 */
final class WebhookConfigurations {
    private static final String GROUP = "admissionregistration.k8s.io";

    private static final String WEBHOOK =
            """
            {"name": "%s.coil.io", "admissionReviewVersions": ["v1"], "sideEffects": "None",
             "failurePolicy": "Ignore", "timeoutSeconds": 10,
             "clientConfig": {"service":
               {"name": "coil-webhook", "namespace": "kube-system", "path": "%s"}},
             "rules": [{"apiGroups": ["%s"], "apiVersions": ["%s"], "resources": ["%s"],
               "operations": %s, "scope": "Cluster"}]}
            """;

    private static final String POOL_MUTATION =
            WEBHOOK.formatted(
                    "addresspools.mutate",
                    "/mutate-coil-cybozu-com-v2-addresspool",
                    "coil.cybozu.com",
                    "v2",
                    "addresspools",
                    "[\"CREATE\"]");

    private static final String POOL =
            WEBHOOK.formatted(
                    "addresspools.validate",
                    "/validate-coil-cybozu-com-v2-addresspool",
                    "coil.cybozu.com",
                    "v2",
                    "addresspools",
                    "[\"CREATE\", \"UPDATE\"]");

    private static final String COLLECTION =
            WEBHOOK.formatted(
                    "garbagecollections.validate",
                    "/validate-ops-coil-io-v1alpha1-garbagecollection",
                    "ops.coil.io",
                    "v1alpha1",
                    "garbagecollections",
                    "[\"CREATE\", \"UPDATE\"]");

    private WebhookConfigurations() {}

    static void create(Storage storage) {
        create(storage, "MutatingWebhookConfiguration", POOL_MUTATION);
        create(storage, "ValidatingWebhookConfiguration", POOL + "," + COLLECTION);
    }

    private static void create(Storage storage, String kind, String webhooks) {
        ResourceType type =
                storage.registry()
                        .find(GROUP, "v1", kind.toLowerCase(java.util.Locale.ROOT) + "s")
                        .orElseThrow();
        ObjectNode object =
                (ObjectNode)
                        Json.MAPPER.readTree(
                                """
                                {"apiVersion": "%s/v1", "kind": "%s", "metadata": {"name": "coil"},
                                 "webhooks": [%s]}
                                """
                                        .formatted(GROUP, kind, webhooks));
        storage.operations()
                .create(
                        type,
                        null,
                        object,
                        new WriteQuery(
                                "setup",
                                List.of("system:masters"),
                                false,
                                FieldValidation.STRICT,
                                null,
                                new ArrayList<>()));
    }
}
