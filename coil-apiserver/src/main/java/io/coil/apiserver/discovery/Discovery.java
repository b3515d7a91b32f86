package io.coil.apiserver.discovery;

import io.coil.apiserver.http.ApiRequest;
import io.coil.apiserver.http.ApiResponse;
import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.ApiStatusException;
import io.coil.apiserver.resource.ResourceRegistry;

import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/** The paths by which clients find out what is served, and whether the server is well. */
public final class Discovery {
    /** The Kubernetes version whose API this server follows. */
    private static final String VERSION = "v1.32.0";

    private final Groups groups;
    private final OpenApi openApi;

    public Discovery(ResourceRegistry registry) {
        this.groups = new Groups(registry);
        this.openApi = new OpenApi(registry);
    }

    /** Empty when there is nothing at that path. */
    public Optional<ApiResponse> serve(ApiRequest request) {
        String path = request.path();
        if (path.length() > 1 && path.endsWith("/")) {
            path = path.substring(0, path.length() - 1);
        }
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return Optional.empty();
        }
        return switch (path) {
            case "/healthz", "/readyz", "/livez" -> Optional.of(ApiResponse.text(200, "ok"));
            case "/version" -> Optional.of(ApiResponse.json(200, version()));
            case "/api" -> Optional.of(ApiResponse.json(200, groups.coreVersions()));
            case "/apis" -> Optional.of(ApiResponse.json(200, groups.all()));
            case "/openapi/v2" ->
                    throw new ApiStatusException(
                            406,
                            "NotAcceptable",
                            "OpenAPI v2 is not served by this API server; /openapi/v3 is");
            case "/openapi/v3" -> Optional.of(ApiResponse.json(200, openApi.index()));
            default -> below(path);
        };
    }

    private Optional<ApiResponse> below(String path) {
        String[] parts = path.substring(1).split("/", -1);
        if (path.startsWith("/openapi/v3/")) {
            return openApi.document(path.substring("/openapi/v3/".length()));
        }
        Optional<ObjectNode> found =
                switch (parts[0] + " " + parts.length) {
                    case "api 2" -> groups.resources("", parts[1]);
                    case "apis 2" -> groups.group(parts[1]);
                    case "apis 3" -> groups.resources(parts[1], parts[2]);
                    default -> Optional.empty();
                };
        return found.map(document -> ApiResponse.json(200, document));
    }

    private static ObjectNode version() {
        return Json.object()
                .put("major", "1")
                .put("minor", "32")
                .put("gitVersion", VERSION)
                .put("gitCommit", "")
                .put("gitTreeState", "clean")
                .put("buildDate", "1970-01-01T00:00:00Z")
                .put("goVersion", "none")
                .put("compiler", "javac")
                .put("platform", "java/" + Runtime.version().feature());
    }
}
