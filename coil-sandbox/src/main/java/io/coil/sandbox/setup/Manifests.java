package io.coil.sandbox.setup;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** YAML from the class path: the sandbox's own, and the chart's where it can be taken as it is. */
final class Manifests {
    private static final YAMLMapper YAML = YAMLMapper.builder().build();

    private Manifests() {}

    static List<ObjectNode> read(String resource) {
        return parse(text(resource));
    }

    /**
     * A template of the chart that asks for nothing but the namespace and labels; so the rights
     * that the programs have here are the ones that are shipped.
     */
    static List<ObjectNode> readChart(String resource, String namespace) {
        List<String> lines = new ArrayList<>();
        for (String line : text(resource).lines().toList()) {
            String text = line.strip();
            if (text.startsWith("{{- include \"coil.labels\"")) {
                lines.removeLast();
            } else if (!text.startsWith("{{-")) {
                lines.add(line.replace("{{ .Release.Namespace }}", namespace));
            }
        }
        String rendered = String.join("\n", lines);
        if (rendered.contains("{{")) {
            throw new IllegalStateException(resource + " asks for more than can be filled in here");
        }
        return parse(rendered);
    }

    private static List<ObjectNode> parse(String text) {
        List<ObjectNode> objects = new ArrayList<>();
        try (MappingIterator<JsonNode> documents =
                YAML.readerFor(JsonNode.class).readValues(text)) {
            while (documents.hasNext()) {
                if (documents.next() instanceof ObjectNode object) {
                    objects.add(object);
                }
            }
        }
        return objects;
    }

    private static String text(String resource) {
        try (InputStream in =
                Objects.requireNonNull(
                        Manifests.class.getResourceAsStream("/" + resource), resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
