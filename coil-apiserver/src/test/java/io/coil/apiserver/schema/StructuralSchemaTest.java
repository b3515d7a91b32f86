package io.coil.apiserver.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

class StructuralSchemaTest {
    private static final YAMLMapper YAML = new YAMLMapper();

    private static final StructuralSchema SCHEMA =
            StructuralSchema.of(
                    YAML.readTree(
                            """
                            type: object
                            required: [spec]
                            properties:
                              spec:
                                type: object
                                required: [name]
                                properties:
                                  name: {type: string, minLength: 2, maxLength: 4, pattern: '^[a-z]+$'}
                                  bits: {type: integer, format: int32, minimum: 0, maximum: 16}
                                  ratio: {type: number, exclusiveMinimum: true, minimum: 0}
                                  mode: {type: string, enum: [a, b]}
                                  on: {type: boolean}
                                  when: {type: string, format: date-time}
                                  maybe: {type: string, nullable: true}
                                  port: {x-kubernetes-int-or-string: true}
                                  labels: {type: object, additionalProperties: {type: string}}
                                  free: {type: object, x-kubernetes-preserve-unknown-fields: true}
                                  tags: {type: array, items: {type: string}, x-kubernetes-list-type: set}
                                  subnets:
                                    type: array
                                    minItems: 1
                                    maxItems: 2
                                    x-kubernetes-list-type: map
                                    x-kubernetes-list-map-keys: [id]
                                    items:
                                      type: object
                                      required: [id]
                                      properties:
                                        id: {type: integer}
                                        kind: {type: string, default: plain}
                            """));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {} | spec.name: Required value
                    {name: a} | spec.name: Invalid value: "a": spec.name in body should be at least 2 chars long
                    {name: abcde} | spec.name: Too long: may not be more than 4 bytes
                    {name: ABC} | spec.name: Invalid value: "ABC": spec.name in body should match '^[a-z]+$'
                    {name: 12} | spec.name: Invalid value: "integer": spec.name in body must be of type string: "integer"
                    {name: ab, bits: -1} | spec.bits: Invalid value: -1: spec.bits in body should be greater than or equal to 0
                    {name: ab, bits: 17} | spec.bits: Invalid value: 17: spec.bits in body should be less than or equal to 16
                    {name: ab, bits: x} | spec.bits: Invalid value: "string": spec.bits in body must be of type integer: "string"
                    {name: ab, bits: 1.5} | spec.bits: Invalid value: "number": spec.bits in body must be of type integer: "number"
                    {name: ab, ratio: 0} | spec.ratio: Invalid value: 0: spec.ratio in body should be greater than 0
                    {name: ab, mode: c} | spec.mode: Unsupported value: "c": supported values: "a", "b"
                    {name: ab, on: 'yes'} | spec.on: Invalid value: "string": spec.on in body must be of type boolean: "string"
                    {name: ab, when: today} | spec.when: Invalid value: "today": spec.when in body must be of type date-time: "today"
                    {name: ab, mode: null} | spec.mode: Invalid value: "null": spec.mode in body must be of type string: "null"
                    {name: ab, port: true} | spec.port: Invalid value: "boolean": spec.port in body must be of type integer,string: "boolean"
                    {name: ab, labels: {x: 1}} | spec.labels.x: Invalid value: "integer": spec.labels.x in body must be of type string: "integer"
                    {name: ab, tags: [x, x]} | spec.tags[1]: Duplicate value: "x"
                    {name: ab, subnets: []} | spec.subnets: Invalid value: 0: spec.subnets in body should have at least 1 items
                    {name: ab, subnets: [{id: 1}, {id: 2}, {id: 3}]} | spec.subnets: Too many: 3: must have at most 2 items
                    {name: ab, subnets: [{id: 1}, {id: 1}]} | spec.subnets[1]: Duplicate value: {"id":1}
                    {name: ab, subnets: [{}]} | spec.subnets[0].id: Required value
                    """)
    void whatIsWrongIsSaidAsKubernetesSaysIt(String spec, String message) {
        assertThat(SCHEMA.validate(object(spec), null))
                .extracting(v -> v.field() + ": " + v.message())
                .containsExactly(message);
    }

    @Test
    void whatIsRightIsLeftAlone() {
        ObjectNode object =
                object(
                        "{name: ab, bits: 16, ratio: 0.1, mode: b, on: true, maybe: null, port: 80,"
                                + " when: '2026-01-02T03:04:05.678901Z', labels: {x: y},"
                                + " free: {a: {b: 1}}, subnets: [{id: 1, kind: x}]}");
        ObjectNode before = object.deepCopy();

        assertThat(SCHEMA.shape(object)).isEmpty();
        assertThat(SCHEMA.validate(object, null)).isEmpty();
        assertThat(object).isEqualTo(before);
    }

    @Test
    void whatWasWrongBeforeIsNotHeldAgainstAChangeElsewhere() {
        ObjectNode old = object("{name: ab, bits: 40, subnets: [{id: 1, kind: 7}]}");

        assertThat(
                        SCHEMA.validate(
                                object(
                                        "{name: ab, bits: 40, on: true,"
                                                + " subnets: [{id: 2}, {id: 1, kind: 7}]}"),
                                old))
                .isEmpty();
        assertThat(SCHEMA.validate(object("{name: ab, bits: 41, on: 1}"), old))
                .extracting(Violation::field)
                .containsExactlyInAnyOrder("spec.bits", "spec.on");
    }

    @Test
    void defaultsAreSetWhereTheirParentIs() {
        ObjectNode object = object("{name: ab, subnets: [{id: 1}, {id: 2, kind: null}]}");

        SCHEMA.shape(object);

        assertThat(object.path("spec").path("subnets").findValuesAsString("kind"))
                .containsExactly("plain", "plain");
    }

    @Test
    void unknownFieldsAreDroppedAndNamed() {
        ObjectNode object =
                object("{name: ab, nmae: x, free: {kept: 1}, subnets: [{id: 1, ipv5: y}]}");
        object.put("top", 1);
        object.putObject("metadata").put("name", "n").put("nonsense", true);

        assertThat(SCHEMA.shape(object))
                .containsExactlyInAnyOrder(
                        "top", "spec.nmae", "spec.subnets[0].ipv5", "metadata.nonsense");
        assertThat(object.path("spec").has("nmae")).isFalse();
        assertThat(object.path("spec").path("free").path("kept").asInt()).isEqualTo(1);
        assertThat(object.path("apiVersion").asString()).isEqualTo("example.io/v1");
    }

    @Test
    void withoutASchemaEverythingIsKept() {
        ObjectNode object = object("{anything: [1]}");
        ObjectNode before = object.deepCopy();

        assertThat(StructuralSchema.ANYTHING.shape(object)).isEmpty();
        assertThat(StructuralSchema.ANYTHING.validate(object, null)).isEmpty();
        assertThat(object).isEqualTo(before);
    }

    private static ObjectNode object(String spec) {
        return (ObjectNode)
                YAML.readTree("{apiVersion: example.io/v1, kind: Widget, spec: " + spec + "}");
    }
}
