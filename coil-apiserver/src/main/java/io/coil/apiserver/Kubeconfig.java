package io.coil.apiserver;

import io.coil.apiserver.http.JsonText;
import io.coil.apiserver.json.Json;

import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The file that tells kubectl where the server is, whom to trust, and who one is. */
public final class Kubeconfig {
    private Kubeconfig() {}

    public static String of(
            String cluster, URI server, String authorityPem, String user, String token) {
        ObjectNode config = Json.object().put("apiVersion", "v1").put("kind", "Config");
        config.putArray("clusters")
                .addObject()
                .put("name", cluster)
                .putObject("cluster")
                .put("server", server.toString())
                .put("certificate-authority-data", base64(authorityPem));
        config.putArray("users")
                .addObject()
                .put("name", user)
                .putObject("user")
                .put("token", token);
        String context = user + "@" + cluster;
        config.putArray("contexts")
                .addObject()
                .put("name", context)
                .putObject("context")
                .put("cluster", cluster)
                .put("user", user);
        return JsonText.writeYaml(config.put("current-context", context));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
