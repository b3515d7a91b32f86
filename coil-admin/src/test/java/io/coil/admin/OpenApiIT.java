package io.coil.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.admin.Client.Answer;
import io.coil.kubernetes.resource.AddressBlock;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;

/**
 * The description of REST: it is the file in the repository, its examples fit, and whatever is sent
 * is answered as it says.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenApiIT {
    private static final Path FILE = Path.of("../docs/openapi.json");
    private static final int TRIES = 40;
    private static final long SEED = 20_261_201;
    private static final List<String> ODD =
            List.of(
                    "",
                    " ",
                    "0",
                    "-1",
                    "1",
                    "5000",
                    "5001",
                    "99999999999999999999",
                    "true",
                    "null",
                    "name",
                    "-name",
                    "name,",
                    ",",
                    "total.used",
                    "n1",
                    "default",
                    "default-0",
                    "10.1.0.0",
                    "fd00::1",
                    "::",
                    "10.1.0.256",
                    "text/csv",
                    "*",
                    "W/\"x\"",
                    "\"",
                    "'",
                    "<b>",
                    "%",
                    "ü",
                    "\u0000",
                    "\uD83D\uDE00",
                    "../..",
                    "a/b",
                    ";x",
                    "WzEsInEiXQ",
                    "x".repeat(3000));

    private AdminFixture fixture;
    private JsonNode description;
    private JsonSchema schemas;
    private String plan;

    @BeforeAll
    void given() {
        fixture = new AdminFixture();
        World world = new World(fixture.api);
        world.node("n1");
        world.pool("default", 1, "10.1.0.0/29");
        AddressBlock block = world.block("default", 0, "n1", "10.1.0.0/31");
        world.report("n1", block, "2", 1, OffsetDateTime.now(ZoneOffset.UTC));
        await().until(() -> fixture.operator().get("/api/v1/blocks/default-0").status() == 200);
        String started =
                fixture.operator()
                        .postJson("/api/v1/collections", "{\"reason\":\"to have one\"}")
                        .header("Location");
        plan = started.substring(started.lastIndexOf('/') + 1);
        await().until(() -> fixture.operator().get(started).status() == 200);
        description = fixture.viewer().get("/v3/api-docs").json();
        schemas = new JsonSchema(description);
    }

    @AfterAll
    void after() {
        fixture.close();
    }

    @Test
    void theFileInTheRepositoryIsWhatIsServed() throws IOException {
        JsonMapper pretty =
                JsonMapper.builder()
                        .enable(SerializationFeature.INDENT_OUTPUT)
                        .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                        .build();
        String served =
                pretty.writeValueAsString(pretty.treeToValue(description, Object.class)) + "\n";
        if ("write".equals(System.getProperty("manual"))) {
            Files.writeString(FILE, served);
        }

        assertThat(Files.readString(FILE))
                .as("REST has changed; if it was meant: run this test with -Dmanual=write")
                .isEqualTo(served);
    }

    @Test
    void everyExampleIsWhatTheDescriptionSays() {
        List<String> wrong = new ArrayList<>();
        int examples = 0;
        for (Operation operation : operations()) {
            JsonNode sent = operation.body();
            if (sent.has("example")) {
                examples++;
                wrong.addAll(
                        schemas.check(sent.get("schema"), sent.get("example"), operation.name()));
            }
            JsonNode ok = operation.described().at("/responses/200/content/application~1json");
            if (ok.has("example")) {
                examples++;
                wrong.addAll(schemas.check(ok.get("schema"), ok.get("example"), operation.name()));
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(examples).isGreaterThan(10);
    }

    /** With a seed, so that it is the same everywhere. */
    @Test
    void whateverIsSentIsAnsweredAsDescribed() {
        Random random = new Random(SEED);
        List<String> wrong = new ArrayList<>();
        for (Operation operation : operations()) {
            boolean served = false;
            for (int i = 0; i < TRIES; i++) {
                Answer answer = send(operation, random, i);
                served |= answer.status() < 300;
                wrong.addAll(judged(operation, answer));
            }
            // None has ended here that could have a history.
            boolean empty = operation.path().equals("/api/v1/collections/{name}/history");
            if (operation.method().equals("GET") && !empty) {
                assertThat(served).as(operation.name() + " was never served").isTrue();
            }
        }

        assertThat(wrong).isEmpty();
    }

    // ------------------------------------------------------------------ what is sent

    private record Operation(String method, String path, JsonNode described) {
        String name() {
            return method + " " + path;
        }

        JsonNode body() {
            return described.at("/requestBody/content/application~1json");
        }
    }

    private List<Operation> operations() {
        List<Operation> all = new ArrayList<>();
        description
                .get("paths")
                .properties()
                .forEach(
                        path ->
                                path.getValue()
                                        .properties()
                                        .forEach(
                                                op ->
                                                        all.add(
                                                                new Operation(
                                                                        op.getKey()
                                                                                .toUpperCase(
                                                                                        Locale
                                                                                                .ROOT),
                                                                        path.getKey(),
                                                                        op.getValue()))));
        // What changes things comes last, so that there is something to read.
        all.sort(Comparator.comparing(operation -> !operation.method().equals("GET")));
        return all;
    }

    /** The first as it should be, the rest as it comes. */
    private Answer send(Operation operation, Random random, int number) {
        String path = operation.path();
        Map<String, String> headers = new HashMap<>();
        StringBuilder query = new StringBuilder();
        for (JsonNode asked : operation.described().path("parameters")) {
            JsonNode parameter = schemas.resolved(asked);
            String name = parameter.get("name").asString();
            switch (parameter.get("in").asString()) {
                case "path" ->
                        path = path.replace("{" + name + "}", segment(name, path, random, number));
                case "query" -> {
                    if (number > 0 && random.nextInt(3) == 0) {
                        query.append(query.isEmpty() ? '?' : '&')
                                .append(name)
                                .append('=')
                                .append(encoded(odd(random)));
                    }
                }
                case "header" -> {
                    String value = odd(random);
                    if (number > 0 && random.nextInt(4) == 0 && printable(value)) {
                        headers.put(name, value);
                    }
                }
                default -> throw new AssertionError(parameter);
            }
        }
        if (number > 0 && random.nextInt(4) == 0) {
            headers.put(
                    "Accept",
                    List.of("text/csv", "application/json", "text/html", "*/*", "x/y")
                            .get(random.nextInt(5)));
        }
        Client who =
                switch (number == 0 ? 5 : random.nextInt(10)) {
                    case 0 -> fixture.program("wrong");
                    case 1 -> fixture.program(fixture.server.token("stranger"));
                    case 2, 3 -> fixture.viewer();
                    default -> fixture.operator();
                };
        if (operation.method().equals("GET")) {
            return who.get(path + query, headers);
        }
        boolean body = !operation.body().isMissingNode();
        headers.put("Content-Type", number % 7 == 6 ? "text/plain" : "application/json");
        return who.send(
                operation.method(),
                path + query,
                headers,
                body ? body(operation, random, number) : "");
    }

    private String segment(String name, String path, Random random, int number) {
        if (number > 0 && random.nextInt(2) == 0) {
            String odd = odd(random);
            return odd.isEmpty() ? "x" : encoded(odd);
        }
        if (name.equals("address")) {
            return "10.1.0.0";
        }
        if (path.contains("/collections/")) {
            return plan;
        }
        return path.contains("/nodes/") ? "n1" : path.contains("/pools/") ? "default" : "default-0";
    }

    private String body(Operation operation, Random random, int number) {
        JsonNode example = operation.body().path("example");
        String good = example.isMissingNode() ? "{}" : example.toString();
        if (number < 3) {
            return good;
        }
        return switch (random.nextInt(6)) {
            case 0 -> "";
            case 1 -> good.substring(0, random.nextInt(good.length()));
            case 2 -> good.replaceFirst("\"[^\"]*\"(?=[,}\\]])", "null");
            case 3 -> good.replaceFirst("\\[[^\\]]*\\]|\"[^\"]*\"(?=[,}\\]])", "7");
            case 4 ->
                    List.of("[]", "null", "1", "\"x\"", "{\"a\":{}}", "[[[[")
                            .get(random.nextInt(6));
            default ->
                    good.replaceFirst(
                            "\"[^\"]*\"(?=[,}\\]])",
                            Matcher.quoteReplacement(
                                    new JsonMapper().writeValueAsString(odd(random))));
        };
    }

    private static String odd(Random random) {
        return ODD.get(random.nextInt(ODD.size()));
    }

    private static boolean printable(String value) {
        return !value.isBlank() && value.chars().allMatch(c -> c > 31 && c < 127);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    // ------------------------------------------------------------------ what is answered

    private List<String> judged(Operation operation, Answer answer) {
        String sent = answer.response().request().method() + " " + answer.response().uri();
        String where = sent + " -> " + answer.status();
        JsonNode response =
                schemas.resolved(
                        operation
                                .described()
                                .path("responses")
                                .path(Integer.toString(answer.status())));
        if (answer.status() >= 500 && answer.status() != 503) {
            return List.of(where + " " + answer.body());
        }
        if (response.isMissingNode()) {
            return List.of(where + " is not described: " + answer.body());
        }
        if (answer.body().isEmpty()) {
            return List.of();
        }
        String type = answer.header("Content-Type").replaceFirst(";.*", "");
        JsonNode content = response.path("content").path(type);
        if (content.isMissingNode()) {
            return List.of(where + " is not described as " + type);
        }
        boolean some = sent.contains("fields=") || type.equals("text/csv");
        return some && answer.status() == 200
                ? List.of()
                : schemas.check(content.get("schema"), answer.json(), where);
    }
}
