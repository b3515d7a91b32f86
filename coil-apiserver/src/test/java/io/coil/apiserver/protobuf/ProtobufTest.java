package io.coil.apiserver.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.apiserver.lifecycle.ApiStatusException;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

class ProtobufTest {
    /** Field with a length: tag, length, content. */
    private static String field(int number, String content) {
        return (char) (number << 3 | 2) + "" + (char) content.length() + content;
    }

    private static String number(int number, int value) {
        return (char) (number << 3) + "" + (char) value;
    }

    private static String object(String kind, String message) {
        return "k8s\0" + field(1, field(1, "v1") + field(2, kind)) + field(2, message);
    }

    @Test
    void readsScalarsListsMapsAndMessages() {
        String metadata =
                field(1, "x")
                        + field(2, "")
                        + field(8, "")
                        + field(11, field(1, "k") + field(2, "v"))
                        + field(11, field(1, "e"))
                        + field(14, "f")
                        + field(14, "g");
        String secret = field(1, metadata) + field(2, field(1, "a") + field(2, "b")) + number(5, 0);
        assertThat(Protobuf.read(object("Secret", secret)))
                .hasToString(
                        "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"x\","
                                + "\"labels\":{\"k\":\"v\",\"e\":\"\"},\"finalizers\":[\"f\",\"g\"]},"
                                + "\"data\":{\"a\":\"Yg==\"},\"immutable\":false}");
    }

    @Test
    void anOptionalZeroIsKeptAnotherIsNot() {
        String spec = number(1, 0) + number(5, 0);
        assertThat(Protobuf.read(object("Deployment", field(2, spec))).path("spec"))
                .hasToString("{\"replicas\":0}");
    }

    @Test
    void numbersMayBeLong() {
        String time =
                new String(HexFormat.of().parseHex("088092aec906"), StandardCharsets.ISO_8859_1);
        String namespace = field(1, field(8, time));
        assertThat(
                        Protobuf.read(object("Namespace", namespace))
                                .at("/metadata/creationTimestamp")
                                .asString())
                .isEqualTo("2025-11-30T00:00:00Z");
    }

    @Test
    void whatIsNotKnownIsNamed() {
        assertThatThrownBy(() -> Protobuf.read(object("Job", "")))
                .isInstanceOf(ApiStatusException.class)
                .hasMessageContaining("does not read objects of kind \"Job\"");
        assertThatThrownBy(() -> Protobuf.read(object("Namespace", field(9, "x"))))
                .hasMessageContaining("does not read field 9 of Namespace");
        assertThat(Protobuf.read(object("Namespace", field(9, ""))).size()).isEqualTo(2);
    }

    @Test
    void whatIsNoProtobufIsRefused() {
        for (String body :
                new String[] {"", "{}", "k8s\0\nzz", "k8s\0\7", object("Namespace", "\n\177")}) {
            assertThatThrownBy(() -> Protobuf.read(body))
                    .isInstanceOfSatisfying(
                            ApiStatusException.class, e -> assertThat(e.code()).isEqualTo(400));
        }
    }
}
