package io.coil.apiserver.admission;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Trusts a webhook whose certificate comes from the configuration's own authority and is for the
 * name that Kubernetes expects. That name is not the one that is connected to when a Service is
 * meant, so the JDK's own check of host names does not do.
 */
final class WebhookTrust extends X509ExtendedTrustManager {
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;

    private final X509TrustManager authority;
    private final String serverName;

    private WebhookTrust(X509TrustManager authority, String serverName) {
        this.authority = authority;
        this.serverName = serverName;
    }

    static SSLContext context(String caBundle, String serverName)
            throws GeneralSecurityException, IOException {
        SSLContext context = SSLContext.getInstance("TLS");
        WebhookTrust trust = new WebhookTrust(authority(caBundle), serverName);
        context.init(null, new TrustManager[] {trust}, null);
        return context;
    }

    private static X509TrustManager authority(String caBundle)
            throws GeneralSecurityException, IOException {
        @Nullable KeyStore trusted = null;
        if (!caBundle.isBlank()) {
            trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            int count = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(
                                    new ByteArrayInputStream(
                                            caBundle.getBytes(StandardCharsets.US_ASCII)))) {
                trusted.setCertificateEntry("ca" + count++, certificate);
            }
        }
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509TrustManager found) {
                return found;
            }
        }
        throw new GeneralSecurityException("there is no trust manager for X.509");
    }

    private void check(X509Certificate[] chain, String authType) throws CertificateException {
        authority.checkServerTrusted(chain, authType);
        Collection<List<?>> names = chain[0].getSubjectAlternativeNames();
        if (names != null) {
            for (List<?> name : names) {
                if (name.get(0) instanceof Integer kind
                        && (kind == DNS_NAME || kind == IP_ADDRESS)
                        && name.get(1) instanceof String text
                        && fits(text)) {
                    return;
                }
            }
        }
        throw new CertificateException("certificate is not valid for " + serverName);
    }

    private boolean fits(String pattern) {
        String wanted = serverName.toLowerCase(Locale.ROOT);
        String given = pattern.toLowerCase(Locale.ROOT);
        int dot = wanted.indexOf('.');
        return given.equals(wanted)
                || (given.startsWith("*.")
                        && dot > 0
                        && given.substring(1).equals(wanted.substring(dot)));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(chain, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        check(chain, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType)
            throws CertificateException {
        check(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        throw new CertificateException("this side calls, it is not called");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw new CertificateException("this side calls, it is not called");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType)
            throws CertificateException {
        throw new CertificateException("this side calls, it is not called");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return authority.getAcceptedIssuers();
    }
}
