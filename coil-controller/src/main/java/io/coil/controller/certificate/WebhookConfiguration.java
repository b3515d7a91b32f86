package io.coil.controller.certificate;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import io.coil.kubernetes.api.Kind;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/**
 * Where callers of webhooks read whom to trust. Its webhooks are kept as they are written, so that
 * nothing in them is lost that a newer Kubernetes knows and we do not.
 */
record WebhookConfiguration(
        String apiVersion, String kind, V1ObjectMeta metadata, @Nullable JsonArray webhooks)
        implements KubernetesObject {
    static final Kind<WebhookConfiguration> MUTATING = kind("Mutating");
    static final Kind<WebhookConfiguration> VALIDATING = kind("Validating");

    private static final String BUNDLE = "caBundle";

    private static Kind<WebhookConfiguration> kind(String which) {
        return new Kind<>(
                "admissionregistration.k8s.io",
                "v1",
                which.toLowerCase(Locale.ROOT) + "webhookconfigurations",
                which + "WebhookConfiguration",
                false,
                WebhookConfiguration.class);
    }

    /** Whether every webhook in it trusts that one. */
    boolean trusts(X509Certificate certificate) {
        return clients().stream().allMatch(c -> trusted(c).contains(certificate));
    }

    /** Whether every webhook in it trusts these, and no others. */
    boolean trustsExactly(List<X509Certificate> certificates) {
        return clients().stream()
                .allMatch(c -> new HashSet<>(trusted(c)).equals(new HashSet<>(certificates)));
    }

    /** All that any webhook in it trusts. */
    List<X509Certificate> trusted() {
        return clients().stream().flatMap(c -> trusted(c).stream()).distinct().toList();
    }

    /** The merge patch that lets every webhook in it trust these, and no others. */
    String trusting(List<X509Certificate> certificates) {
        JsonArray changed = webhooks == null ? new JsonArray() : webhooks.deepCopy();
        String bundle = Base64.getEncoder().encodeToString(Pem.of(certificates));
        for (JsonElement webhook : changed) {
            webhook.getAsJsonObject().getAsJsonObject("clientConfig").addProperty(BUNDLE, bundle);
        }
        JsonObject patch = new JsonObject();
        patch.add("webhooks", changed);
        return patch.toString();
    }

    private List<JsonObject> clients() {
        List<JsonObject> clients = new ArrayList<>();
        if (webhooks != null) {
            for (JsonElement webhook : webhooks) {
                clients.add(webhook.getAsJsonObject().getAsJsonObject("clientConfig"));
            }
        }
        return clients;
    }

    private static List<X509Certificate> trusted(JsonObject client) {
        JsonElement bundle = client.get(BUNDLE);
        if (bundle == null || bundle.isJsonNull()) {
            return List.of();
        }
        try {
            return Pem.certificates(Base64.getDecoder().decode(bundle.getAsString()));
        } catch (IllegalArgumentException e) {
            return List.of(); // no Base64: trusts nobody
        }
    }

    @Override
    public V1ObjectMeta getMetadata() {
        return metadata;
    }

    @Override
    public String getApiVersion() {
        return apiVersion;
    }

    @Override
    public String getKind() {
        return kind;
    }
}
