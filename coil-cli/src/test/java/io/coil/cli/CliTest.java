package io.coil.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What is asked, what is printed, and how it ends; against a server that says what it is told to.
 */
class CliTest {
    private static final String AGE = "\"asOf\":\"2026-01-02T00:00:00Z\",\"ageSeconds\":0.2,";

    @TempDir private Path sandbox;
    private final Map<String, String> environment = new HashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final Map<String, List<Said>> answers = new HashMap<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private HttpServer server;

    /** What the server answers; the last one again and again. */
    private record Said(int status, String type, String body, Map<String, String> headers) {}

    @BeforeEach
    void given() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        environment.put("COIL_SERVER", "http://127.0.0.1:" + server.getAddress().getPort());
        environment.put("COIL_TOKEN", "secret");
    }

    @AfterEach
    void after() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        asked.add(
                "%s %s %s %s"
                        .formatted(
                                exchange.getRequestMethod(),
                                exchange.getRequestURI(),
                                exchange.getRequestHeaders().getFirst("Authorization"),
                                body)
                        .strip());
        List<Said> said = answers.get(exchange.getRequestURI().toString());
        Said now =
                said == null
                        ? problem(404, "There is nothing")
                        : said.size() > 1 ? said.removeFirst() : said.getFirst();
        byte[] bytes = now.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", now.type());
        now.headers().forEach(exchange.getResponseHeaders()::add);
        exchange.sendResponseHeaders(now.status(), bytes.length == 0 ? -1 : bytes.length);
        try (OutputStream to = exchange.getResponseBody()) {
            to.write(bytes);
        }
    }

    private static Said problem(int status, String title) {
        return new Said(
                status,
                "application/problem+json",
                "{\"title\":\"%s\",\"detail\":\"Do better.\",\"status\":%d}"
                        .formatted(title, status),
                Map.of());
    }

    private void says(String path, Said... said) {
        answers.put(path, new ArrayList<>(List.of(said)));
    }

    private static Said json(String body) {
        return new Said(200, "application/json", body, Map.of());
    }

    private int run(String... words) throws InterruptedException {
        return new Cli(
                        environment,
                        sandbox,
                        new Terminal(
                                new PrintStream(out, true, StandardCharsets.UTF_8),
                                new PrintStream(err, true, StandardCharsets.UTF_8),
                                false))
                .run(List.of(words));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aListIsATableWithItsColumnsAligned() throws Exception {
        says(
                "/api/v1/blocks?pool=default",
                json(
                        "{"
                                + AGE
                                + "\"total\":2,\"next\":null,\"items\":["
                                + "{\"name\":\"default-0\",\"pool\":\"default\",\"node\":\"n1\",\"state\":\"serving\","
                                + "\"used\":1,\"capacity\":32,\"ranges\":[\"10.0.0.0/27\"],\"emptySince\":null},"
                                + "{\"name\":\"default-10\",\"pool\":\"default\",\"node\":null,\"state\":\"surplus\","
                                + "\"used\":0,\"capacity\":32,\"ranges\":[\"10.0.1.64/27\",\"fd00::/123\"],"
                                + "\"emptySince\":\"2026-01-01T20:58:00Z\"}]}"));

        int code = run("get", "blocks", "--pool", "default");

        assertThat(code).isZero();
        assertThat(out())
                .isEqualTo(
                        """
                        NAME         POOL      NODE   STATE     ADDRESSES   RANGE                     EMPTY FOR
                        default-0    default   n1     serving        1/32   10.0.0.0/27               -
                        default-10   default   -      surplus        0/32   10.0.1.64/27,fd00::/123   3h2m
                        """);
        assertThat(asked).containsExactly("GET /api/v1/blocks?pool=default Bearer secret");
    }

    @Test
    void allPartsOfAListAreRead() throws Exception {
        String item = "{\"name\":\"%s\",\"state\":\"serving\"}";
        says(
                "/api/v1/pools",
                json(
                        "{"
                                + AGE
                                + "\"total\":2,\"next\":\"abc\",\"items\":["
                                + item.formatted("a")
                                + "]}"));
        says(
                "/api/v1/pools?continue=abc",
                json(
                        "{"
                                + AGE
                                + "\"total\":2,\"next\":null,\"items\":["
                                + item.formatted("b")
                                + "]}"));

        assertThat(run("get", "pools", "-o", "name")).isZero();
        assertThat(out()).isEqualTo("a\nb\n");
        assertThat(run("get", "pools", "-o=json")).isZero();
        assertThat(out()).contains("\"name\": \"b\"").doesNotContain("\"next\"");
    }

    @Test
    void csvIsPassedOnWithOneHeader() throws Exception {
        says(
                "/api/v1/nodes?sort=-name",
                new Said(
                        200,
                        "text/csv",
                        "name\r\nn2\r\n",
                        Map.of("Link", "</api/v1/nodes?sort=-name&continue=x>; rel=\"next\"")));
        says(
                "/api/v1/nodes?sort=-name&continue=x",
                new Said(200, "text/csv", "name\r\nn1\r\n", Map.of()));

        assertThat(run("get", "nodes", "--sort", "-name", "-o", "csv")).isZero();

        assertThat(out()).isEqualTo("name\r\nn2\r\nn1\r\n");
    }

    @Test
    void oldDataIsSaidToBeOld() throws Exception {
        says(
                "/api/v1/pools",
                json(
                        "{\"asOf\":\"2026-01-02T00:00:00Z\",\"ageSeconds\":61.2,\"total\":0,\"next\":null,\"items\":[]}"));

        assertThat(run("get", "pools")).isZero();

        assertThat(out()).isEmpty();
        assertThat(err()).contains("There are none.", "This is 61 s old");
    }

    @Test
    void aNameHasItsTableToo() throws Exception {
        says(
                "/api/v1/pools/a%2Fb",
                json("{" + AGE + "\"pool\":{\"name\":\"a/b\",\"state\":\"being deleted\"}}"));

        assertThat(run("get", "pool", "a/b")).isZero();

        assertThat(out()).contains("a/b    being deleted");
    }

    @Test
    void whatWasPlannedIsFollowedToItsEnd() throws Exception {
        String run =
                "{"
                        + AGE
                        + "\"rest\":0,\"items\":[{\"outcome\":\"done\",\"rule\":\"surplus-block\",\"name\":\"b\","
                        + "\"node\":\"n1\",\"pool\":\"p\",\"evidence\":\"Empty.\"}],\"collection\":{\"phase\":\"%s\","
                        + "\"found\":1,\"done\":1,\"kept\":0,\"failed\":0,\"expected\":[\"n1\"],\"unanswered\":[],\"message\":null}}";
        says(
                "/api/v1/collections",
                problem(503, "Not now"),
                new Said(
                        202, "application/json", "{\"name\":\"run-x\",\"href\":\"/x\"}", Map.of()));
        says(
                "/api/v1/collections/run-x",
                json(run.formatted("waiting")),
                json(run.formatted("running")),
                json(run.formatted("completed")));

        int code = run("collect", "--node", "n1,n2", "--block=b", "--reason", "so", "--wait");

        assertThat(code).as(err()).isZero();
        assertThat(out())
                .isEqualTo(
                        """
                        OUTCOME   RULE            NAME   NODE   POOL   EVIDENCE
                        done      surplus-block   b      n1     p      Empty.
                        run-x: completed, 1 found, 1 done, 0 kept, 0 failed
                        """);
        assertThat(asked.getFirst())
                .startsWith("POST /api/v1/collections Bearer secret")
                .endsWith(
                        "{\"nodes\":[\"n1\",\"n2\"],\"pools\":[],\"blocks\":[\"b\"],\"dryRun\":false,\"reason\":\"so\"}");
        assertThat(asked.get(1)).isEqualTo(asked.getFirst());
    }

    @ParameterizedTest
    @CsvSource({
        "failed, 0, n1, 1",
        "completed, 1, n1, 1",
        "completed, 0, '', 0",
        "completed, 0, n1, 1"
    })
    void theExitCodeSaysWhetherAllWasDone(String phase, int failed, String silent, int code)
            throws Exception {
        String unanswered = silent.isEmpty() ? "" : "\"" + silent + "\"";
        says(
                "/api/v1/collections",
                new Said(202, "application/json", "{\"name\":\"r\",\"href\":\"/x\"}", Map.of()));
        says(
                "/api/v1/collections/r",
                json(
                        "{"
                                + AGE
                                + "\"rest\":3,\"items\":[],\"collection\":{\"phase\":\"%s\",\"found\":1,\"done\":1,\"kept\":0,\"failed\":%d,\"expected\":[\"n1\"],\"unanswered\":[%s],\"message\":\"So it is.\"}}"
                                        .formatted(phase, failed, unanswered)));

        assertThat(run("collect", "--wait")).isEqualTo(code);
        assertThat(out()).contains("3 of them not listed", "So it is.");
        if (!silent.isEmpty()) {
            assertThat(out()).contains("no answer from n1");
        }
    }

    @ParameterizedTest
    @CsvSource({"400, 2", "401, 4", "403, 4", "404, 1", "409, 1", "422, 1", "500, 3", "503, 3"})
    void refusalsHaveTheirExitCodeAndTheirSentences(int status, int code) throws Exception {
        says("/api/v1/pools", problem(status, "That is wrong"));

        assertThat(run("get", "pools")).isEqualTo(code);

        assertThat(err()).startsWith("coil: That is wrong. Do better.");
        assertThat(out()).isEmpty();
    }

    @Test
    void nobodyThere() throws Exception {
        server.stop(0);

        assertThat(run("get", "pools")).isEqualTo(3);

        assertThat(err()).contains("cannot be reached", "COIL_SERVER").doesNotContain("Exception:");
    }

    @Test
    void somebodyElseIsThere() throws Exception {
        says("/api/v1/pools", new Said(200, "text/html", "<html>", Map.of()));

        assertThat(run("get", "pools")).isEqualTo(3);

        assertThat(err()).contains("is no Coil");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "get",
                "get things",
                "get nodes -o yaml",
                "get nodes n1 n2",
                "get nodes --node n1",
                "get nodes n1 --pool p",
                "get address",
                "get leaks b",
                "get pools p -o csv",
                "get nodes --poool p",
                "get nodes --pool",
                "collect n1",
                "collect -o csv",
                "collect --apply p --node n",
                "collect --apply p --dry-run",
                "give"
            })
    void wrongUseIsSaidWithoutAskingAnybody(String line) throws Exception {
        int code = run(line.isEmpty() ? new String[0] : line.split(" "));

        assertThat(code).as(line).isEqualTo(2);
        assertThat(err()).startsWith("coil: ");
        assertThat(asked).isEmpty();
    }

    @Test
    void aSandboxIsFoundByItsFilesAndItsTokenStaysWithIt() throws Exception {
        String url = environment.remove("COIL_SERVER");
        environment.remove("COIL_TOKEN");
        assertThat(run("get", "pools")).isEqualTo(4);
        assertThat(err()).contains("no token");
        Files.writeString(sandbox.resolve("admin.token"), "of-the-sandbox\n");
        Files.writeString(sandbox.resolve("admin.url"), url);
        says("/api/v1/pools", json("{" + AGE + "\"total\":0,\"next\":null,\"items\":[]}"));

        assertThat(run("get", "pools")).isZero();

        assertThat(asked).containsExactly("GET /api/v1/pools Bearer of-the-sandbox");
        assertThat(run("get", "pools", "--server", "http://127.0.0.1:1")).isEqualTo(4);
    }

    @Test
    void helpIsThereForEachCommand() throws Exception {
        assertThat(run("get", "--help")).isZero();
        assertThat(run("collect", "-h")).isZero();
        assertThat(out()).contains("Usage: ./coil get", "Usage: ./coil collect", "Exit codes:");
    }
}
