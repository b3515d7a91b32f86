package io.coil.controller.certificate;

import org.jspecify.annotations.Nullable;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the Secret says: the pair that every replica serves, the one that follows it, and all that
 * callers must trust.
 *
 * @param current {@code tls.crt} and {@code tls.key}; null: none that can be read
 * @param next {@code next.crt} and {@code next.key}: not served before all callers trust it
 * @param trusted {@code ca.crt}: of every pair that a replica may serve
 */
record SecretContent(
        @Nullable CertificatePair current,
        @Nullable CertificatePair next,
        List<X509Certificate> trusted) {
    static final SecretContent EMPTY = new SecretContent(null, null, List.of());

    SecretContent {
        trusted = List.copyOf(trusted);
    }

    static SecretContent read(@Nullable Map<String, byte[]> data) {
        if (data == null) {
            return EMPTY;
        }
        return new SecretContent(
                CertificatePair.read(data.get("tls.crt"), data.get("tls.key")).orElse(null),
                CertificatePair.read(data.get("next.crt"), data.get("next.key")).orElse(null),
                Pem.certificates(data.get("ca.crt")));
    }

    Map<String, byte[]> write() {
        Map<String, byte[]> data = new LinkedHashMap<>();
        data.put("ca.crt", Pem.of(trusted));
        put(data, "tls", current);
        put(data, "next", next);
        return data;
    }

    private static void put(Map<String, byte[]> data, String name, @Nullable CertificatePair pair) {
        if (pair != null) {
            data.put(name + ".crt", Pem.bytes(Pem.of(pair.certificate())));
            data.put(name + ".key", Pem.bytes(Pem.of(pair.key())));
        }
    }

    /**
     * The same with those trusted that may still be served: one that was served once stays until it
     * has expired, for a replica may not have heard yet that another has followed it.
     */
    SecretContent tidy(Instant now) {
        Set<X509Certificate> all = new LinkedHashSet<>(trusted);
        Optional.ofNullable(current).map(CertificatePair::certificate).ifPresent(all::add);
        Optional.ofNullable(next).map(CertificatePair::certificate).ifPresent(all::add);
        List<X509Certificate> good = new ArrayList<>(all);
        good.removeIf(c -> !CertificatePair.isGoodAt(c, now));
        return new SecretContent(current, next, good);
    }
}
