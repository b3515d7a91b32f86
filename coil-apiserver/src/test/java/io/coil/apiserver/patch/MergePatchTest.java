package io.coil.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.json.Json;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

/** The cases of RFC 7386, appendix A. */
class MergePatchTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"a":"b"}        | {"a":"c"}               | {"a":"c"}
                    {"a":"b"}        | {"b":"c"}               | {"a":"b","b":"c"}
                    {"a":"b"}        | {"a":null}              | {}
                    {"a":"b","b":"c"}| {"a":null}              | {"b":"c"}
                    {"a":["b"]}      | {"a":"c"}               | {"a":"c"}
                    {"a":"c"}        | {"a":["b"]}             | {"a":["b"]}
                    {"a":{"b":"c"}}  | {"a":{"b":"d","c":null}}| {"a":{"b":"d"}}
                    {"a":[{"b":"c"}]}| {"a":[1]}               | {"a":[1]}
                    ["a","b"]        | ["c","d"]               | ["c","d"]
                    {"a":"b"}        | ["c"]                   | ["c"]
                    {"a":"foo"}      | "bar"                   | "bar"
                    {"e":null}       | {"a":1}                 | {"e":null,"a":1}
                    [1,2]            | {"a":"b","c":null}      | {"a":"b"}
                    {}               | {"a":{"bb":{"ccc":null}}}| {"a":{"bb":{}}}
                    """)
    void mergesAsTheRfcSays(String target, String patch, String result) {
        JsonNode before = Json.MAPPER.readTree(target);
        JsonNode merged = MergePatch.apply(before, Json.MAPPER.readTree(patch));
        assertThat(merged).isEqualTo(Json.MAPPER.readTree(result));
        assertThat(before).isEqualTo(Json.MAPPER.readTree(target));
    }
}
