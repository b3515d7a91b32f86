package io.coil.controller.certificate;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.KubeApi;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;

import java.util.Optional;

/**
 * The Secret in which all replicas keep what they serve. It is made once, by whoever is first, and
 * written only over the version that was read; whoever loses reads again.
 */
final class KeptSecret {
    static final Kind<V1Secret> SECRETS =
            new Kind<>("", "v1", "secrets", "Secret", true, V1Secret.class);

    private final KubeApi api;
    private final String namespace;
    private final String name;

    KeptSecret(KubeApi api, String namespace, String name) {
        this.api = api;
        this.namespace = namespace;
        this.name = name;
    }

    /** As it was read; {@code object} is empty if there is none. */
    record Read(Optional<V1Secret> object, SecretContent content) {}

    Read read() {
        Optional<V1Secret> object = api.get(SECRETS, namespace, name);
        return new Read(
                object,
                object.map(s -> SecretContent.read(s.getData())).orElse(SecretContent.EMPTY));
    }

    /** Throws {@link ApiFailure.Stale} if another replica was faster. */
    void write(Read read, SecretContent content) {
        V1Secret secret =
                read.object()
                        .orElseGet(
                                () ->
                                        new V1Secret()
                                                .type("Opaque")
                                                .metadata(
                                                        new V1ObjectMeta()
                                                                .namespace(namespace)
                                                                .name(name)))
                        .apiVersion("v1")
                        .kind("Secret")
                        .data(content.write());
        V1Secret _ =
                read.object().isPresent()
                        ? api.replace(SECRETS, secret)
                        : api.create(SECRETS, secret);
    }
}
