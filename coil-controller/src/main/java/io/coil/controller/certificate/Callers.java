package io.coil.controller.certificate;

import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/**
 * The two webhook configurations of one name, as they were read: what API servers go by when they
 * call us. A configuration that does not exist asks nobody.
 */
record Callers(List<Read> configurations) {

    record Read(Kind<WebhookConfiguration> kind, WebhookConfiguration value) {}

    static Callers read(KubeApi api, String name) {
        List<Read> found = new ArrayList<>();
        for (Kind<WebhookConfiguration> kind :
                List.of(WebhookConfiguration.MUTATING, WebhookConfiguration.VALIDATING)) {
            api.get(kind, null, name).ifPresent(c -> found.add(new Read(kind, c)));
        }
        return new Callers(List.copyOf(found));
    }

    /** All that any of them trusts. */
    List<X509Certificate> trusted() {
        return configurations.stream()
                .flatMap(c -> c.value().trusted().stream())
                .distinct()
                .toList();
    }

    boolean allTrust(X509Certificate certificate) {
        return configurations.stream().allMatch(c -> c.value().trusts(certificate));
    }

    /**
     * Has them trust exactly these. Only over what was read: {@code certificates} must be from a
     * Secret that was read <em>after</em> it, else what another replica has just added would be
     * taken away.
     */
    void trust(KubeApi api, List<X509Certificate> certificates) {
        for (Read each : configurations) {
            WebhookConfiguration configuration = each.value();
            if (!configuration.trustsExactly(certificates)) {
                WebhookConfiguration _ =
                        api.patch(
                                each.kind(),
                                null,
                                String.valueOf(configuration.metadata().getName()),
                                Preconditions.of(configuration.metadata()),
                                configuration.trusting(certificates));
            }
        }
    }
}
