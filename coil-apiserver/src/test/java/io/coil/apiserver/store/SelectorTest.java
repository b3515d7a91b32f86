package io.coil.apiserver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.apiserver.json.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

class SelectorTest {
    private static final JsonNode LABELS =
            Json.object()
                    .put("app", "web")
                    .put("coil.cybozu.com/node", "n1")
                    .put("empty", "")
                    .put("n", "5");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    app=web | true
                    app==web | true
                    app = web | true
                    app=db | false
                    app!=web | false
                    app!=db | true
                    none!=web | true
                    app | true
                    none | false
                    !app | false
                    !none | true
                    coil.cybozu.com/node=n1 | true
                    app in (web, db) | true
                    app in (db) | false
                    app notin (db) | true
                    app notin (web,db) | false
                    none notin (web) | true
                    none in (web) | false
                    app=web,coil.cybozu.com/node=n1 | true
                    app in (web,db),!app | false
                    empty= | true
                    none= | false
                    n>4 | true
                    n<5 | false
                    """)
    void labelsAreSelected(String selector, boolean expected) {
        assertThat(LabelSelector.parse(selector).test(LABELS)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "=",
                "app=web,",
                "app in web",
                "app=(web)",
                "a b",
                "-a=b",
                "n>x",
                "app in (a"
            })
    void whatIsNoLabelSelectorIsRefused(String selector) {
        assertThatThrownBy(() -> LabelSelector.parse(selector))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void nothingHasNoLabels() {
        assertThat(LabelSelector.parse("!app").test(Json.object().path("labels"))).isTrue();
        assertThat(LabelSelector.parse("app").test(Json.object().path("labels"))).isFalse();
    }

    @Test
    void fieldsAreCompared() {
        JsonNode pod = Json.MAPPER.readTree("{\"spec\":{\"nodeName\":\"n1\"}}");

        assertThat(FieldSelector.parse("spec.nodeName=n1").predicate().test(pod)).isTrue();
        assertThat(FieldSelector.parse("spec.nodeName==n2").predicate().test(pod)).isFalse();
        assertThat(FieldSelector.parse("spec.nodeName!=n2,status.phase=").predicate().test(pod))
                .isTrue();
        assertThat(FieldSelector.parse("spec.unschedulable=false").predicate().test(pod)).isTrue();
        assertThatThrownBy(() -> FieldSelector.parse("spec.nodeName"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
