package io.coil.testing;

import io.coil.apiserver.ApiEndpoint;
import io.coil.apiserver.json.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** One of the two servers that are asked the same, and what was kept of its answers. */
final class Side implements AutoCloseable {
    private final ApiEndpoint server;
    private final URI url;
    private final HttpClient http;
    private final Map<String, String> kept = new TreeMap<>();

    Side(ApiEndpoint server, URI url, byte[] authority) {
        this.server = server;
        this.url = url;
        this.http =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .sslContext(Trust.in(authority))
                        .build();
    }

    /** Status, media type and body; of a watch all its events but bookmarks. */
    ObjectNode answer(Step asked) throws Exception {
        Step step = asked.with(this::filledIn);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(url.resolve(step.path()))
                        .timeout(Duration.ofSeconds(20))
                        .header("Authorization", "Bearer " + token(step))
                        .header("Accept", step.accept())
                        .header("User-Agent", "differential")
                        .method(
                                step.method(),
                                step.body().isEmpty()
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(step.body()));
        if (!step.body().isEmpty()) {
            request.header("Content-Type", step.type());
        }
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        ObjectNode answer = Json.object().put("code", response.statusCode());
        String type = response.headers().firstValue("content-type").orElse("");
        answer.put("type", type.replaceAll(";.*", ""));
        JsonNode body =
                type.startsWith("application/json")
                        ? step.watches()
                                ? events(response.body())
                                : Json.MAPPER.readTree(response.body())
                        : Json.object().put("text", response.body());
        asked.keep().forEach((name, pointer) -> kept.put(name, body.at(pointer).asString("")));
        answer.set("body", body);
        return answer;
    }

    private static ArrayNode events(String lines) {
        ArrayNode events = Json.MAPPER.createArrayNode();
        lines.lines()
                .filter(line -> !line.isBlank())
                .map(Json.MAPPER::readTree)
                .filter(event -> !event.path("type").asString("").equals("BOOKMARK"))
                .forEach(events::add);
        return events;
    }

    private String token(Step step) {
        if (!step.token().isEmpty()) {
            return step.token();
        }
        return step.as().isEmpty() ? server.adminToken() : server.token(step.as());
    }

    private String filledIn(String text) {
        String filled = text;
        for (Map.Entry<String, String> entry : kept.entrySet()) {
            String value =
                    text.startsWith("/")
                            ? URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8)
                            : entry.getValue();
            filled = filled.replace("${" + entry.getKey() + "}", value);
        }
        return filled;
    }

    @Override
    public void close() {
        http.close();
        server.close();
    }
}
