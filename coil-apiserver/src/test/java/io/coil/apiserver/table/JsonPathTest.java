package io.coil.apiserver.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.json.Json;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

class JsonPathTest {
    private static final JsonNode OBJECT =
            Json.MAPPER.readTree(
                    """
                    {"metadata": {"labels": {"example.org/node": "n1", "a": "b"}},
                     "status": {"conditions": [{"type": "Ready", "status": "True"},
                       {"type": "Other", "status": "False"}], "ips": ["x", "y"], "none": null}}
                    """);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    .metadata.labels.a                                | ["b"]
                    .metadata.labels['example.org/node']              | ["n1"]
                    .metadata.labels['example\\.org/node']            | ["n1"]
                    .metadata.labels.example\\.org/node               | ["n1"]
                    .status.conditions[?(@.type=="Ready")].status     | ["True"]
                    .status.conditions[?(@.type!="Ready")].status     | ["False"]
                    .status.conditions[?(@.type == 'Other')].type     | ["Other"]
                    .status.ips[0]                                    | ["x"]
                    .status.ips[-1]                                   | ["y"]
                    .status.ips[7]                                    | []
                    .status.ips[*]                                    | ["x", "y"]
                    .status.none                                      | []
                    .nothing.at.all                                   | []
                    .status.ips[                                      | []
                    """)
    void finds(String path, String found) {
        assertThat(JsonPath.parse(path).find(OBJECT)).hasToString(found);
    }
}
