package io.coil.apiserver.http;

import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * The server's own certificate authority and its certificate, which holds for this machine only.
 * With a directory they are kept there, so that what clients were told to trust stays right.
 */
public final class Certificates {
    private static final String FILE = "tls.p12";
    private static final String ALIAS = "server";
    private static final char[] PASSWORD = "unlocked".toCharArray();
    private static final Duration LIFE = Duration.ofDays(3650);

    private final KeyStore store;

    private Certificates(KeyStore store) {
        this.store = store;
    }

    /**
     * @param directory where they are kept, readable by its owner alone; null: nowhere
     */
    public static Certificates in(@Nullable Path directory) {
        try {
            Path file = directory == null ? null : directory.resolve(FILE);
            if (file != null && Files.exists(file)) {
                return new Certificates(read(file));
            }
            KeyStore made = make();
            if (file != null) {
                PrivateFile.write(file, out -> made.store(out, PASSWORD));
            }
            return new Certificates(made);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException("cannot make or read the server's certificate", e);
        }
    }

    /** The authority's certificate as PEM. */
    public String authorityPem() {
        try {
            Certificate[] chain = store.getCertificateChain(ALIAS);
            byte[] encoded = chain[chain.length - 1].getEncoded();
            String lines =
                    Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                            .encodeToString(encoded);
            return "-----BEGIN CERTIFICATE-----\n" + lines + "\n-----END CERTIFICATE-----\n";
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate that was just made is not readable", e);
        }
    }

    SSLContext context() {
        try {
            KeyManagerFactory keys =
                    KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, PASSWORD);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no TLS", e);
        }
    }

    private static KeyStore read(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = new ByteArrayInputStream(Files.readAllBytes(file))) {
            store.load(in, PASSWORD);
        }
        return store;
    }

    private static KeyStore make()
            throws GeneralSecurityException, OperatorCreationException, IOException {
        KeyPair authorityKey = keyPair();
        X500Name authority = new X500Name("CN=local-ca");
        X509Certificate authorityCertificate =
                sign(
                        builder(authority, authority, authorityKey)
                                .addExtension(
                                        Extension.basicConstraints, true, new BasicConstraints(0))
                                .addExtension(
                                        Extension.keyUsage,
                                        true,
                                        new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign)),
                        authorityKey);
        KeyPair key = keyPair();
        X509Certificate certificate =
                sign(
                        serverExtensions(
                                builder(authority, new X500Name("CN=local-apiserver"), key)),
                        authorityKey);
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, PASSWORD);
        store.setKeyEntry(
                ALIAS,
                key.getPrivate(),
                PASSWORD,
                new Certificate[] {certificate, authorityCertificate});
        return store;
    }

    private static X509v3CertificateBuilder serverExtensions(X509v3CertificateBuilder builder)
            throws CertIOException {
        GeneralName[] names = {
            new GeneralName(GeneralName.dNSName, "localhost"),
            new GeneralName(GeneralName.dNSName, "kubernetes.default.svc"),
            new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
            new GeneralName(GeneralName.iPAddress, "::1")
        };
        return builder.addExtension(
                        Extension.subjectAlternativeName, false, new GeneralNames(names))
                .addExtension(
                        Extension.extendedKeyUsage,
                        false,
                        new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
                .addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
    }

    private static X509v3CertificateBuilder builder(
            X500Name issuer, X500Name subject, KeyPair key) {
        Instant now = Instant.now();
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(64, new SecureRandom()),
                Date.from(now.minus(Duration.ofDays(1))),
                Date.from(now.plus(LIFE)),
                subject,
                key.getPublic());
    }

    private static X509Certificate sign(X509v3CertificateBuilder builder, KeyPair authority)
            throws OperatorCreationException, GeneralSecurityException {
        return new JcaX509CertificateConverter()
                .getCertificate(
                        builder.build(
                                new JcaContentSignerBuilder("SHA256withECDSA")
                                        .build(authority.getPrivate())));
    }

    private static KeyPair keyPair() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }
}
