package io.coil.testing;

import io.coil.apiserver.json.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Calls of a server as its administrator. */
final class AdminCalls {
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final URI server;
    private final HttpClient http;
    private final String token;

    AdminCalls(URI server, HttpClient http, String token) {
        this.server = server;
        this.http = http;
        this.token = token;
    }

    record Answer(int code, String contentType, String body) {
        JsonNode json() {
            return Json.MAPPER.readTree(body);
        }
    }

    /**
     * @param contentType of the body; empty if there is none
     */
    Answer send(String method, String path, String contentType, String body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(server.resolve(path))
                        .timeout(LONGEST)
                        .header("Authorization", "Bearer " + token)
                        .header("Accept", "application/json")
                        .method(
                                method,
                                body.isEmpty()
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(body));
        if (!contentType.isEmpty()) {
            request.header("Content-Type", contentType);
        }
        try {
            HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
            return new Answer(
                    answer.statusCode(),
                    answer.headers().firstValue("content-type").orElse(""),
                    answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    Answer expect(int code, String method, String path, String contentType, String body) {
        Answer answer = send(method, path, contentType, body);
        if (answer.code() != code) {
            throw new IllegalStateException(
                    "%s %s: %d %s".formatted(method, path, answer.code(), answer.body()));
        }
        return answer;
    }

    /** The items of a list; none if no such kind is served. */
    List<ObjectNode> list(String path) {
        List<ObjectNode> items = new ArrayList<>();
        Answer answer = send("GET", path, "", "");
        if (answer.code() == 200) {
            answer.json()
                    .path("items")
                    .forEach(
                            item -> {
                                if (item instanceof ObjectNode object) {
                                    items.add(object);
                                }
                            });
        }
        return items;
    }
}
