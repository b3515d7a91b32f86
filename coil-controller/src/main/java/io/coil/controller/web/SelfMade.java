package io.coil.controller.web;

import io.coil.kubernetes.time.Timeline;

import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;

/** A certificate for a port that nobody brought one for: to try things out, and for tests. */
final class SelfMade {
    /** Of a key store that never leaves the memory. */
    static final String PASSWORD = "memory";

    private static final Duration LIFE = Duration.ofDays(3650);

    private SelfMade() {}

    static KeyStore certificate(String host, Timeline timeline) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            KeyPair pair = generator.generateKeyPair();
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry(
                    "webhook",
                    pair.getPrivate(),
                    PASSWORD.toCharArray(),
                    new X509Certificate[] {sign(host, pair, timeline.now())});
            return store;
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("cannot make a certificate", e);
        }
    }

    /** The certificate alone. */
    static String pem(KeyStore store) {
        try {
            byte[] der = store.getCertificate("webhook").getEncoded();
            String text = Base64.getMimeEncoder(64, new byte[] {10}).encodeToString(der);
            return "-----BEGIN CERTIFICATE-----\n" + text + "\n-----END CERTIFICATE-----\n";
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot read the certificate", e);
        }
    }

    private static X509Certificate sign(String host, KeyPair pair, Instant now)
            throws GeneralSecurityException, OperatorCreationException, IOException {
        X500Name name = new X500Name("CN=" + host);
        X509v3CertificateBuilder builder =
                new JcaX509v3CertificateBuilder(
                        name,
                        new BigInteger(64, new SecureRandom()).add(BigInteger.ONE),
                        Date.from(now.minus(Duration.ofHours(1))),
                        Date.from(now.plus(LIFE)),
                        name,
                        pair.getPublic());
        builder.addExtension(
                Extension.subjectAlternativeName,
                false,
                new GeneralNames(
                        new GeneralName[] {
                            new GeneralName(GeneralName.dNSName, host),
                            new GeneralName(GeneralName.iPAddress, "127.0.0.1")
                        }));
        return new JcaX509CertificateConverter()
                .getCertificate(
                        builder.build(
                                new JcaContentSignerBuilder("SHA256withECDSA")
                                        .build(pair.getPrivate())));
    }
}
