package io.coil.controller.certificate;

import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;

/**
 * A certificate and its key. One that we make is its own authority: whoever is to trust it trusts
 * this very certificate, and no key exists that could sign another.
 */
public record CertificatePair(X509Certificate certificate, PrivateKey key) {
    /** Of a key store that never leaves the memory. */
    public static final String PASSWORD = "memory";

    private static final String ALGORITHM = "EC";
    private static final SecureRandom RANDOM = new SecureRandom();

    /** The clocks of two machines differ: it is good from a moment ago on. */
    private static final Duration BEFORE = Duration.ofMinutes(10);

    /**
     * A new one.
     *
     * @param host DNS name that it is good for, besides 127.0.0.1
     * @param life from {@code now} on
     */
    public static CertificatePair make(String host, Instant now, Duration life) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
            generator.initialize(256);
            KeyPair pair = generator.generateKeyPair();
            X500Name name = new X500Name("CN=" + host);
            X509v3CertificateBuilder builder =
                    new JcaX509v3CertificateBuilder(
                            name,
                            new BigInteger(64, RANDOM).add(BigInteger.ONE),
                            Date.from(now.minus(BEFORE)),
                            Date.from(now.plus(life)),
                            name,
                            pair.getPublic());
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            builder.addExtension(
                    Extension.extendedKeyUsage,
                    false,
                    new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
            builder.addExtension(
                    Extension.subjectAlternativeName,
                    false,
                    new GeneralNames(
                            new GeneralName[] {
                                new GeneralName(GeneralName.dNSName, host),
                                new GeneralName(GeneralName.iPAddress, "127.0.0.1")
                            }));
            return new CertificatePair(
                    new JcaX509CertificateConverter()
                            .getCertificate(
                                    builder.build(
                                            new JcaContentSignerBuilder("SHA256withECDSA")
                                                    .build(pair.getPrivate()))),
                    pair.getPrivate());
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("this JDK cannot make a certificate", e);
        }
    }

    /** Reads both texts; empty if either is missing or cannot be read. */
    static Optional<CertificatePair> read(byte @Nullable [] certificate, byte @Nullable [] key) {
        return Pem.certificates(certificate).stream()
                .findFirst()
                .flatMap(
                        c ->
                                Pem.key(key, c.getPublicKey().getAlgorithm())
                                        .map(k -> new CertificatePair(c, k)));
    }

    boolean isGoodAt(Instant now) {
        return isGoodAt(certificate, now);
    }

    static boolean isGoodAt(X509Certificate certificate, Instant now) {
        return now.isBefore(certificate.getNotAfter().toInstant());
    }

    Instant end() {
        return certificate.getNotAfter().toInstant();
    }

    /** What a client must trust, in PEM. */
    public String pem() {
        return Pem.of(certificate);
    }

    /** For a server; {@link #PASSWORD} opens it. */
    public KeyStore keyStore() {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry(
                    "webhook", key, PASSWORD.toCharArray(), new X509Certificate[] {certificate});
            return store;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("cannot keep a certificate in memory", e);
        }
    }
}
