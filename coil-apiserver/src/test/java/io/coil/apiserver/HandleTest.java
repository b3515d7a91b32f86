package io.coil.apiserver;

import static io.coil.apiserver.Servers.WIDGETS;
import static io.coil.apiserver.Servers.widget;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.auth.Identity;
import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.Scope;
import io.coil.apiserver.http.ApiRequest;
import io.coil.apiserver.http.ApiResponse;
import io.coil.apiserver.http.ApiStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SplittableRandom;

/** The server without a socket, a thread or a clock of its own. */
class HandleTest {
    private long nanos;
    private final ApiServer server =
            Servers.withWidgets()
                    .clock(() -> Instant.EPOCH.plusNanos(nanos))
                    .nanos(() -> nanos)
                    .pause(time -> nanos += time.toNanos())
                    .random(new SplittableRandom(4))
                    .build();

    @AfterEach
    void stop() {
        server.close();
    }

    private ApiResponse call(String method, String path, String body) throws Exception {
        return server.handle(
                ApiRequest.of(
                        method,
                        path,
                        Map.of("Content-Type", "application/json"),
                        body,
                        Identity.administrator()));
    }

    private static int code(ApiResponse response) {
        return response instanceof ApiResponse.Whole whole ? whole.code() : -1;
    }

    @Test
    void servesObjects() throws Exception {
        assertThat(code(call("POST", WIDGETS, widget("a", "red")))).isEqualTo(201);
        assertThat(code(call("GET", WIDGETS + "/a", ""))).isEqualTo(200);
        assertThat(code(call("GET", WIDGETS + "?labelSelector=x%3D%3D%3D", ""))).isEqualTo(400);
    }

    @Test
    void aWatchIsAskedForItsEvents() throws Exception {
        ApiResponse response =
                call("GET", WIDGETS + "?watch=true&allowWatchBookmarks=true&timeoutSeconds=60", "");
        assertThat(response).isInstanceOf(ApiResponse.Streaming.class);
        try (ApiStream stream = ((ApiResponse.Streaming) response).stream()) {
            assertThat(stream.next(Duration.ZERO)).isEqualTo(new ApiStream.Quiet());
            call("POST", WIDGETS, widget("a", "red"));
            assertThat(text(stream)).startsWith("{\"type\":\"ADDED\"").endsWith("\n");
            nanos += Duration.ofSeconds(6).toNanos();
            assertThat(text(stream)).startsWith("{\"type\":\"BOOKMARK\"");
            nanos += Duration.ofSeconds(60).toNanos();
            assertThat(stream.next(Duration.ZERO)).isEqualTo(new ApiStream.End());
        }
    }

    private static String text(ApiStream stream) throws InterruptedException {
        return stream.next(Duration.ZERO) instanceof ApiStream.Text(String text) ? text : "";
    }

    @Test
    void latencyPassesByTheGivenPause() throws Exception {
        server.faults().add(Scope.any(), Effect.latency(Duration.ofHours(1)));
        call("GET", WIDGETS, "");
        assertThat(Duration.ofNanos(nanos)).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void aLostReplyIsADroppedAnswer() throws Exception {
        server.faults().add(Scope.any().onVerbs("create"), new Effect.LostReply());
        assertThat(call("POST", WIDGETS, widget("a", "red"))).isEqualTo(new ApiResponse.Dropped());
        assertThat(code(call("GET", WIDGETS + "/a", ""))).isEqualTo(200);
        assertThat(server.requests().sum(kind -> kind.code() == 0)).isEqualTo(1);
    }
}
