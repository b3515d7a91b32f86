package io.coil.sandbox.setup;

import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;

/**
 * The certificate of the controllers' admission ports, made anew at each start; it is its own
 * authority and holds for this machine only.
 *
 * @param directory with tls.crt and tls.key, as a Secret would be mounted
 * @param authority for a webhook's caBundle: PEM in base64
 */
public record WebhookCertificate(Path directory, String authority) {
    private static final Duration LIFE = Duration.ofDays(365);

    public static WebhookCertificate make(Path directory) throws IOException {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair key = generator.generateKeyPair();
            String certificate = pem("CERTIFICATE", certificate(key));
            Files.createDirectories(directory);
            Files.writeString(directory.resolve("tls.crt"), certificate);
            Files.writeString(
                    directory.resolve("tls.key"),
                    pem("PRIVATE KEY", key.getPrivate().getEncoded()));
            return new WebhookCertificate(
                    directory,
                    Base64.getEncoder()
                            .encodeToString(certificate.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException("this JDK cannot make a certificate", e);
        }
    }

    private static byte[] certificate(KeyPair key) throws IOException, OperatorCreationException {
        Instant now = Instant.now();
        X500Name name = new X500Name("CN=coil-webhook");
        GeneralName[] names = {
            new GeneralName(GeneralName.dNSName, "coil-webhook.kube-system.svc"),
            new GeneralName(GeneralName.dNSName, "localhost"),
            new GeneralName(GeneralName.iPAddress, "127.0.0.1")
        };
        return new JcaX509v3CertificateBuilder(
                        name,
                        new BigInteger(64, new SecureRandom()),
                        Date.from(now.minus(Duration.ofDays(1))),
                        Date.from(now.plus(LIFE)),
                        name,
                        key.getPublic())
                .addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names))
                .build(new JcaContentSignerBuilder("SHA256withECDSA").build(key.getPrivate()))
                .getEncoded();
    }

    private static String pem(String what, byte[] content) {
        String lines =
                Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                        .encodeToString(content);
        return "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(what, lines, what);
    }
}
