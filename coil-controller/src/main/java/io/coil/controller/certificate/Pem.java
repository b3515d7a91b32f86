package io.coil.controller.certificate;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates and keys as the texts that Kubernetes keeps. What cannot be read is passed over. */
final class Pem {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z ]+)-----([^-]*)-----END \\1-----");
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String KEY = "PRIVATE KEY";

    private Pem() {}

    static String of(X509Certificate certificate) {
        try {
            return block(CERTIFICATE, certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("a certificate that cannot be written", e);
        }
    }

    static String of(PrivateKey key) {
        return block(KEY, key.getEncoded());
    }

    static byte[] of(Iterable<X509Certificate> certificates) {
        StringBuilder text = new StringBuilder();
        certificates.forEach(c -> text.append(of(c)));
        return bytes(text.toString());
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** All certificates in the text, each once, in its order. */
    static List<X509Certificate> certificates(byte @Nullable [] text) {
        Set<X509Certificate> certificates = new LinkedHashSet<>();
        for (byte[] der : blocks(text, CERTIFICATE)) {
            try {
                certificates.add(
                        (X509Certificate)
                                CertificateFactory.getInstance("X.509")
                                        .generateCertificate(new ByteArrayInputStream(der)));
            } catch (CertificateException e) {
                // one that nobody can trust either
            }
        }
        return List.copyOf(certificates);
    }

    /** A key in PKCS #8, of that algorithm. */
    static Optional<PrivateKey> key(byte @Nullable [] text, String algorithm) {
        for (byte[] der : blocks(text, KEY)) {
            try {
                return Optional.of(
                        KeyFactory.getInstance(algorithm)
                                .generatePrivate(new PKCS8EncodedKeySpec(der)));
            } catch (GeneralSecurityException e) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static List<byte[]> blocks(byte @Nullable [] text, String what) {
        List<byte[]> blocks = new ArrayList<>();
        if (text == null) {
            return blocks;
        }
        Matcher matcher = BLOCK.matcher(new String(text, StandardCharsets.US_ASCII));
        while (matcher.find()) {
            if (matcher.group(1).equals(what)) {
                try {
                    blocks.add(Base64.getMimeDecoder().decode(matcher.group(2)));
                } catch (IllegalArgumentException e) {
                    // no Base64: as if it were not there
                }
            }
        }
        return blocks;
    }

    private static String block(String what, byte[] content) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
    }
}
