package io.coil.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.ApiStatusException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

class JsonPatchTest {
    private static final JsonNode DOCUMENT =
            json("{'a': 1, 'list': [1, 2], 'o': {'x': null, 'a/b': 3}}");

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            textBlock =
                    """
                    {'op':'add','path':'/b','value':2} | /b | 2
                    {'op':'add','path':'/a','value':5} | /a | 5
                    {'op':'add','path':'/list/1','value':9} | /list | [1,9,2]
                    {'op':'add','path':'/list/-','value':9} | /list | [1,2,9]
                    {'op':'remove','path':'/list/0'} | /list | [2]
                    {'op':'replace','path':'/list/0','value':7} | /list | [7,2]
                    {'op':'replace','path':'/o/a~1b','value':4} | /o/a~1b | 4
                    {'op':'copy','from':'/a','path':'/o/y'} | /o/y | 1
                    {'op':'move','from':'/list/0','path':'/list/1'} | /list | [2,1]
                    {'op':'test','path':'/a','value':1.0} | /a | 1
                    {'op':'test','path':'/o/x','value':null} | /a | 1
                    """)
    void eachOperationDoesItsWork(String operation, String pointer, String expected) {
        JsonNode patched = JsonPatch.parse(json("[" + operation + "]")).apply(DOCUMENT);

        assertThat(patched.at(pointer)).isEqualTo(json(expected));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            textBlock =
                    """
                    {'op':'remove','path':'/nothing'} | 422
                    {'op':'replace','path':'/nothing','value':1} | 422
                    {'op':'add','path':'/no/where','value':1} | 422
                    {'op':'add','path':'/list/3','value':1} | 422
                    {'op':'add','path':'/list/01','value':1} | 422
                    {'op':'test','path':'/a','value':2} | 422
                    {'op':'move','from':'/o','path':'/o/in'} | 422
                    {'op':'jump','path':'/a'} | 400
                    {'op':'add','path':'/a'} | 400
                    {'op':'add','path':'a','value':1} | 400
                    {'op':'copy','path':'/a'} | 400
                    """)
    void whatCannotBeDoneIsRefused(String operation, int code) {
        assertThatThrownBy(() -> JsonPatch.parse(json("[" + operation + "]")).apply(DOCUMENT))
                .isInstanceOfSatisfying(
                        ApiStatusException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void aFailureLeavesTheDocumentAsItWas() {
        JsonNode before = DOCUMENT.deepCopy();
        JsonPatch patch =
                JsonPatch.parse(json("[{'op':'remove','path':'/a'},{'op':'remove','path':'/z'}]"));

        assertThatThrownBy(() -> patch.apply(DOCUMENT)).isInstanceOf(ApiStatusException.class);
        assertThat(DOCUMENT).isEqualTo(before);
    }

    private static JsonNode json(String text) {
        return Json.MAPPER.readTree(text.replace('\'', '"'));
    }
}
