package io.coil.sandbox.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.sandbox.Sandbox;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The dashboard and the REST API, as a browser and as curl see them. */
final class Dashboard {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Pattern HIDDEN =
            Pattern.compile(
                    "<input[^>]*type=\"hidden\"[^>]*name=\"([^\"]+)\"[^>]*value=\"([^\"]*)\"");

    private final HttpClient browser =
            HttpClient.newBuilder()
                    .cookieHandler(new CookieManager())
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .build();
    private final URI base;
    private final URI management;
    private final String token;

    private Dashboard(Sandbox sandbox) {
        this.base = sandbox.adminUrl();
        this.management = Objects.requireNonNull(sandbox.programs().admin().managementUri());
        this.token = sandbox.server().adminToken();
    }

    /** By the link that the sandbox prints. */
    static Dashboard signedIn(Sandbox sandbox) throws IOException, InterruptedException {
        Dashboard dashboard = new Dashboard(sandbox);
        HttpResponse<String> page =
                dashboard.browser.send(
                        HttpRequest.newBuilder(sandbox.signInLink()).build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(page.statusCode()).isEqualTo(200);
        return dashboard;
    }

    /** A page, as the browser gets it. */
    String get(String path) throws IOException, InterruptedException {
        HttpResponse<String> response =
                browser.send(
                        HttpRequest.newBuilder(base.resolve(path))
                                .header("Accept", "text/html")
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(path).isEqualTo(200);
        return response.body();
    }

    JsonNode rest(String path) throws IOException, InterruptedException {
        HttpResponse<String> response =
                browser.send(
                        bearer(path).header("Accept", "application/json").build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(path).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    String metrics() throws IOException, InterruptedException {
        return browser.send(
                        HttpRequest.newBuilder(management.resolve("/actuator/prometheus")).build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** A change by REST. */
    HttpResponse<String> change(String method, String path, String body)
            throws IOException, InterruptedException {
        return browser.send(
                bearer(path)
                        .header("Content-Type", "application/json")
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** What a change by REST that was let through has come to. */
    JsonNode changed(String method, String path, String body)
            throws IOException, InterruptedException {
        HttpResponse<String> response = change(method, path, body);
        assertThat(response.statusCode()).as(response.body()).isIn(200, 201, 202);
        return JSON.readTree(response.body());
    }

    HttpResponse<String> post(String body) throws IOException, InterruptedException {
        return browser.send(
                bearer("/api/v1/collections")
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** The name of the collection that this body started. */
    String startByRest(String body) throws IOException, InterruptedException {
        HttpResponse<String> response = post(body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        return JSON.readTree(response.body()).path("name").asString();
    }

    /** The name of the collection that the form of the collections' page started. */
    String startByForm(String node) throws IOException, InterruptedException {
        String page = get("/collections?node=" + node);
        Map<String, String> fields = new LinkedHashMap<>();
        Matcher hidden = HIDDEN.matcher(page);
        while (hidden.find()) {
            fields.put(hidden.group(1), hidden.group(2));
        }
        fields.put("nodes", node);
        fields.put("dryRun", "false");
        fields.put("reason", "test");
        String form =
                fields.entrySet().stream()
                        .map(e -> encoded(e.getKey()) + "=" + encoded(e.getValue()))
                        .collect(Collectors.joining("&"));
        HttpResponse<String> response =
                browser.send(
                        HttpRequest.newBuilder(base.resolve("/collections"))
                                .header("Content-Type", "application/x-www-form-urlencoded")
                                .POST(HttpRequest.BodyPublishers.ofString(form))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        String path = response.uri().getPath();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private HttpRequest.Builder bearer(String path) {
        return HttpRequest.newBuilder(base.resolve(path))
                .header("Authorization", "Bearer " + token);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
