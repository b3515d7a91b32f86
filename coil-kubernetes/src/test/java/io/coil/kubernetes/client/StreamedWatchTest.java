package io.coil.kubernetes.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.api.WatchEvent;
import io.kubernetes.client.openapi.models.V1Node;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

class StreamedWatchTest {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final String NODE =
            "{\"type\":\"%s\",\"object\":{\"kind\":\"Node\",\"apiVersion\":\"v1\","
                    + "\"metadata\":{\"name\":\"n1\",\"resourceVersion\":\"%d\"}}}\n";

    private final ScriptedServer server = new ScriptedServer();
    private final CountDownLatch done = new CountDownLatch(1);
    private final ClientKubeApi api =
            ClientKubeApi.create(
                    server.settings().withWatch(Duration.ofMinutes(5), Duration.ofSeconds(2)));

    @AfterEach
    void stop() {
        done.countDown();
        api.close();
        server.close();
    }

    @Test
    void eventsComeOneByOneWhileTheAnswerGoesOn() throws Exception {
        server.answer(
                exchange -> {
                    OutputStream out = begin(exchange);
                    write(out, NODE.formatted("ADDED", 4));
                    write(out, NODE.formatted("DELETED", 5));
                    write(
                            out,
                            "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":"
                                    + "{\"resourceVersion\":\"9\"}}}\n");
                    hold();
                    exchange.close();
                });

        try (var watching = api.watch(Kinds.NODES, Selection.ALL, "3")) {
            assertThat(watching.next(LONG))
                    .isInstanceOfSatisfying(
                            WatchEvent.Present.class,
                            e ->
                                    assertThat(((V1Node) e.object()).getMetadata().getName())
                                            .isEqualTo("n1"));
            assertThat(watching.next(LONG)).isInstanceOf(WatchEvent.Gone.class);
            assertThat(watching.next(LONG)).isEqualTo(new WatchEvent.Bookmark<V1Node>("9"));
            assertThat(watching.next(Duration.ofMillis(20))).isNull();
        }

        assertThat(server.asked.getFirst().query())
                .contains("watch=true", "allowWatchBookmarks=true", "resourceVersion=3")
                .contains("timeoutSeconds=");
    }

    @Test
    void anOrdinaryEndHasNoFailureAndStays() throws Exception {
        server.answer(200, NODE.formatted("MODIFIED", 4));

        try (var watching = api.watch(Kinds.NODES, Selection.ALL, "3")) {
            assertThat(watching.next(LONG)).isInstanceOf(WatchEvent.Present.class);
            assertThat(watching.next(LONG)).isEqualTo(new WatchEvent.Ended<V1Node>(null));
            assertThat(watching.next(LONG)).isEqualTo(new WatchEvent.Ended<V1Node>(null));
        }
    }

    @Test
    void aVersionThatIsNoLongerKeptEndsItAsExpired() throws Exception {
        server.answer(
                200,
                "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,"
                        + "\"reason\":\"Expired\",\"message\":\"too old\"}}\n");

        try (var watching = api.watch(Kinds.NODES, Selection.ALL, "3")) {
            assertThat(end(watching.next(LONG)))
                    .isInstanceOfSatisfying(
                            ApiFailure.Stale.class, f -> assertThat(f.expired()).isTrue());
        }
    }

    @Test
    void aWatchThatCannotBeginFails() {
        server.answer(410, "{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\"}");

        ApiFailure.Stale failure =
                catchThrowableOfType(
                        ApiFailure.Stale.class,
                        () -> api.watch(Kinds.NODES, Selection.ALL, "3").close());

        assertThat(failure.expired()).isTrue();
    }

    @Test
    void aWatchMayBeQuietForLongerThanACallMayTake() throws Exception {
        CountDownLatch more = new CountDownLatch(1);
        server.answer(
                exchange -> {
                    OutputStream out = begin(exchange);
                    write(out, NODE.formatted("ADDED", 4));
                    await(more);
                    write(out, NODE.formatted("DELETED", 5));
                    hold();
                    exchange.close();
                });
        ClientSettings settings = server.settings().withCallTimeout(Duration.ofMillis(300));

        try (ClientKubeApi quick = ClientKubeApi.create(settings);
                var watching = quick.watch(Kinds.NODES, Selection.ALL, "3")) {
            assertThat(watching.next(LONG)).isInstanceOf(WatchEvent.Present.class);
            assertThat(watching.next(Duration.ofMillis(900))).isNull();
            more.countDown();
            assertThat(watching.next(LONG)).isInstanceOf(WatchEvent.Gone.class);
        }
    }

    @Test
    void aWatchMustBeginInTheTimeOfACall() {
        server.answer(exchange -> hold());
        ClientSettings settings = server.settings().withCallTimeout(Duration.ofMillis(300));

        try (ClientKubeApi quick = ClientKubeApi.create(settings)) {
            ApiFailure failure =
                    catchThrowableOfType(
                            ApiFailure.class,
                            () -> quick.watch(Kinds.NODES, Selection.ALL, "3").close());

            assertThat(failure.reason()).isEqualTo(ApiFailure.NO_ANSWER);
        }
    }

    @Test
    void silenceIsTakenForDeath() throws Exception {
        server.answer(
                exchange -> {
                    write(begin(exchange), NODE.formatted("ADDED", 4));
                    hold();
                    exchange.close();
                });

        try (var watching = api.watch(Kinds.NODES, Selection.ALL, "3")) {
            assertThat(watching.next(LONG)).isInstanceOf(WatchEvent.Present.class);
            assertThat(end(watching.next(LONG))).isInstanceOf(ApiFailure.Transient.class);
        }
    }

    @Test
    void aLineThatBreaksOffIsAFailureNotAnEvent() throws Exception {
        server.answer(200, NODE.formatted("ADDED", 4).substring(0, 40));

        try (var watching = api.watch(Kinds.NODES, Selection.ALL, "3")) {
            assertThat(end(watching.next(LONG))).isInstanceOf(ApiFailure.Transient.class);
        }
    }

    private static @Nullable ApiFailure end(@Nullable WatchEvent<?> event) {
        return event instanceof WatchEvent.Ended<?> ended ? ended.failure() : null;
    }

    private static OutputStream begin(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        return exchange.getResponseBody();
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private void hold() {
        await(done);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
