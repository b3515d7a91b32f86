package io.coil.admin.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Columns, cells, and what is kept out of them. */
class CsvTest {
    record Inner(long used, @Nullable String since) {}

    record Row(
            String name,
            boolean ready,
            List<String> addresses,
            Inner total,
            Map<String, Integer> states,
            Map<String, Inner> pools,
            List<Inner> blocks) {}

    private static final Fields FIELDS = Fields.of(Row.class);

    private static Row row(String name) {
        return new Row(
                name,
                true,
                List.of("10.0.0.1", "fd00::1"),
                new Inner(3, null),
                Map.of("serving", 2),
                Map.of("default", new Inner(1, "x")),
                List.of(new Inner(7, "y")));
    }

    private static String csv(String fields, Row... rows) {
        List<String> columns = Selection.of(fields, FIELDS).columns(FIELDS);
        List<JsonNode> items =
                Arrays.stream(rows).<JsonNode>map(r -> new JsonMapper().valueToTree(r)).toList();
        return Csv.of(columns, items);
    }

    @Test
    void theHeaderNamesEveryColumnAndRowsEndAsTheRfcSays() {
        assertThat(csv("", row("n1")))
                .isEqualTo(
                        """
                        name,ready,addresses,total.used,total.since,states\r
                        n1,true,10.0.0.1 fd00::1,3,,serving=2\r
                        """);
        assertThat(csv("")).isEqualTo("name,ready,addresses,total.used,total.since,states\r\n");
    }

    @Test
    void columnsAreThoseAskedForInThatOrder() {
        assertThat(csv("total,name,pools.default.used", row("n1")))
                .isEqualTo("total.used,total.since,name,pools.default.used\r\n3,,n1,1\r\n");
        assertThatThrownBy(() -> csv("total.free"))
                .hasMessage("\"total.free\" is not known; known are used, since.");
    }

    @Test
    void whatWouldBreakARowIsQuoted() {
        assertThat(csv("name", row("a \"b\", c"), row("two\nlines")))
                .isEqualTo("name\r\n\"a \"\"b\"\", c\"\r\n\"two\nlines\"\r\n");
    }

    @Test
    void noCellIsAFormula() {
        assertThat(
                        csv(
                                "name",
                                row("=1+1"),
                                row("@x"),
                                row("-2"),
                                row("+3"),
                                row("\tx"),
                                row("a=b")))
                .isEqualTo("name\r\n'=1+1\r\n'@x\r\n'-2\r\n'+3\r\n'\tx\r\na=b\r\n");
    }

    @Test
    void fieldsAreKeptAsNamedAndInsideOfLists() {
        JsonNode whole = new JsonMapper().valueToTree(row("n1"));

        assertThat(Selection.of("name,total.used,blocks.since", FIELDS).of(whole))
                .hasToString(
                        "{\"name\":\"n1\",\"total\":{\"used\":3},\"blocks\":[{\"since\":\"y\"}]}");
        assertThat(Selection.of("total,total.used", FIELDS).of(whole))
                .hasToString("{\"total\":{\"used\":3,\"since\":null}}");
        assertThat(Selection.of(" ", FIELDS).of(whole)).isEqualTo(whole);
    }
}
