package io.coil.admin;

import io.coil.admin.act.CallersApi;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.time.VirtualThreads;
import io.kubernetes.client.util.KubeConfig;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;

/** How the Kubernetes API is reached when nobody hands it in. */
@Configuration(proxyBeanMethods = false)
class ApiConfiguration {
    private static final String AGENT = "coil-admin";
    private static final Path IN_CLUSTER_AUTHORITY =
            Path.of("/var/run/secrets/kubernetes.io/serviceaccount/ca.crt");

    @Bean
    @ConditionalOnMissingBean
    Timeline timeline() {
        return new VirtualThreads();
    }

    @Bean
    @ConditionalOnMissingBean
    KubeApi kubeApi(AdminSettings settings) {
        return ClientKubeApi.create(found(settings));
    }

    @Bean
    @ConditionalOnMissingBean
    CallersApi callersApi(AdminSettings settings) throws IOException {
        Place place = place(found(settings).server());
        return (token, warnings) ->
                ClientKubeApi.create(
                        ClientSettings.direct(place.url(), token, place.authority(), AGENT),
                        warnings);
    }

    private static ClientSettings found(AdminSettings settings) {
        Path file = settings.kubeconfig();
        return file == null
                ? ClientSettings.found(System.getenv(), AGENT)
                : ClientSettings.kubeconfig(file, AGENT);
    }

    /** The same server, without our own identity; its authority as PEM text. */
    private record Place(URI url, String authority) {}

    private static Place place(ClientSettings.Server server) throws IOException {
        return switch (server) {
            case ClientSettings.Server.Direct direct -> new Place(direct.url(), direct.authority());
            case ClientSettings.Server.InCluster() -> inCluster(System.getenv());
            case ClientSettings.Server.Kubeconfig(Path file) -> fromFile(file);
        };
    }

    private static Place inCluster(Map<String, String> environment) throws IOException {
        String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "kubernetes.default.svc");
        String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
        String bracketed = host.contains(":") ? "[" + host + "]" : host;
        return new Place(
                URI.create("https://" + bracketed + ":" + port),
                Files.readString(IN_CLUSTER_AUTHORITY));
    }

    private static Place fromFile(Path file) throws IOException {
        try (Reader text = Files.newBufferedReader(file)) {
            KubeConfig config = KubeConfig.loadKubeConfig(text);
            return new Place(URI.create(config.getServer()), authority(config, file));
        }
    }

    private static String authority(KubeConfig config, Path file) throws IOException {
        String inline = config.getCertificateAuthorityData();
        if (inline != null) {
            byte[] pem = Base64.getMimeDecoder().decode(inline);
            return new String(pem, StandardCharsets.UTF_8);
        }
        String named = config.getCertificateAuthorityFile();
        return named == null ? "" : Files.readString(file.toAbsolutePath().resolveSibling(named));
    }
}
