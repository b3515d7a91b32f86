package io.coil.apiserver.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.apiserver.lifecycle.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.node.ObjectNode;

class MatchConditionTest {
    private static final ObjectNode UPDATE =
            TestServer.yaml(
                    """
                    object: {metadata: {name: a, annotations: {x/y: new, same: s}}}
                    oldObject: {metadata: {name: a, annotations: {x/y: old, same: s}}}
                    request: {operation: UPDATE}
                    """);
    private static final ObjectNode CREATE =
            TestServer.yaml(
                    """
                    object: {metadata: {name: a}}
                    oldObject: null
                    request: {operation: CREATE}
                    """);

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "true;true;true",
                "!true;false;false",
                "request.operation == 'CREATE';false;true",
                "oldObject == null;false;true",
                "oldObject != null;true;false",
                "has(object.metadata.annotations);true;false",
                "has(object.metadata.annotations) && 'x/y' in object.metadata.annotations;true;false",
                "has(object.metadata.annotations) && object.metadata.annotations['x/y'] != oldObject.metadata.annotations['x/y'];true;false",
                "has(object.metadata.annotations) && (oldObject == null || object.metadata.annotations['same'] != oldObject.metadata.annotations['same']);false;false",
                "'none' in object.metadata.annotations && has(object.metadata.annotations);false;false",
                "object.metadata.annotations.none == 'x' || true;true;true",
            })
    void aConditionHoldsOrNot(String expression, boolean ofUpdate, boolean ofCreate) {
        MatchCondition condition = MatchCondition.parse("c", expression);

        assertThat(condition.holds(UPDATE)).isEqualTo(ofUpdate);
        assertThat(condition.holds(CREATE)).isEqualTo(ofCreate);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "object.metadata.labels['a'] == 'b'",
                "'a'",
                "!'a'",
                "object.metadata.name && true",
            })
    void whatHasNoValueIsAnError(String expression) {
        MatchCondition condition = MatchCondition.parse("c", expression);

        assertThatThrownBy(() -> condition.holds(UPDATE))
                .isInstanceOf(MatchCondition.NoValue.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "true)", "(true", "object.", "a + b", "size(object) == 1", "true false"})
    void whatIsNotUnderstoodIsAnError(String expression) {
        assertThatThrownBy(() -> MatchCondition.parse("c", expression))
                .isInstanceOf(MatchCondition.NoValue.class);
    }

    @Test
    void aFieldThatIsNullIsNotThere() {
        ObjectNode variables =
                TestServer.yaml("{object: {spec: null}, oldObject: null, request: {}}");

        assertThat(MatchCondition.parse("c", "has(object.spec)").holds(variables)).isFalse();
    }
}
