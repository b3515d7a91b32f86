package io.coil.testing;

import io.coil.apiserver.json.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * One request of the list that is sent to both servers.
 *
 * @param type of the body
 * @param as a user's name, or empty for the administrator
 * @param keep names for parts of the answer, by JSON pointer
 * @param differs where the answers differ, by JSON pointer, and why; {@code /code} is the status
 */
record Step(
        String name,
        String method,
        String path,
        String type,
        String accept,
        String body,
        String as,
        String token,
        Map<String, String> keep,
        Map<String, String> differs) {

    static List<Step> read(String resource) {
        try (InputStream yaml =
                Objects.requireNonNull(Step.class.getResourceAsStream(resource), resource)) {
            List<Step> steps = new ArrayList<>();
            JsonNode all = YAMLMapper.builder().build().readTree(yaml);
            all.path("requests").forEach(node -> steps.add(of(node)));
            return steps;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Step of(JsonNode node) {
        String[] request = node.path("request").asString().split(" ", 2);
        JsonNode body = node.path("body");
        return new Step(
                node.path("name").asString(),
                request[0],
                request[1],
                node.path("type").asString("application/json"),
                node.path("accept").asString("application/json"),
                body.isMissingNode()
                        ? node.path("text").asString("")
                        : Json.MAPPER.writeValueAsString(body),
                node.path("as").asString(""),
                node.path("token").asString(""),
                texts(node.path("keep")),
                texts(node.path("differs")));
    }

    private static Map<String, String> texts(JsonNode node) {
        Map<String, String> texts = new TreeMap<>();
        node.properties().forEach(e -> texts.put(e.getKey(), e.getValue().asString()));
        return texts;
    }

    boolean watches() {
        return path.contains("watch=true");
    }

    Step with(UnaryOperator<String> filledIn) {
        return new Step(
                name,
                method,
                filledIn.apply(path),
                type,
                accept,
                filledIn.apply(body),
                as,
                token,
                keep,
                differs);
    }
}
