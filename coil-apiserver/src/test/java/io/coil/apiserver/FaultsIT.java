package io.coil.apiserver;

import static io.coil.apiserver.Servers.WIDGETS;
import static io.coil.apiserver.Servers.widget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.apiserver.Client.Answer;
import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Scope;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;

/** Faults on demand, set in Java and over HTTP. */
class FaultsIT {
    private ApiServer server;
    private Client client;

    @BeforeEach
    void start() throws IOException {
        server = Servers.withWidgets().build().start();
        client = Client.admin(server);
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private static Scope creates() {
        return Scope.any().onVerbs("create").onResource("widgets");
    }

    private void fault(Scope scope, Effect effect) {
        server.faults().add(FaultRule.of("f", scope, effect).times(1));
    }

    @Test
    void aReplyIsLostAfterTheWriteTookEffect() {
        fault(creates(), new Effect.LostReply());
        assertThatThrownBy(
                        () ->
                                client.trySend(
                                        "POST", WIDGETS, "application/json", widget("a", "red")))
                .isInstanceOf(IOException.class);
        assertThat(client.get(WIDGETS + "/a").code()).isEqualTo(200);
    }

    @Test
    void aRequestIsLostBeforeItHasAnyEffect() {
        fault(creates(), new Effect.LostRequest());
        assertThatThrownBy(
                        () ->
                                client.trySend(
                                        "POST", WIDGETS, "application/json", widget("a", "red")))
                .isInstanceOf(IOException.class);
        assertThat(client.get(WIDGETS + "/a").code()).isEqualTo(404);
    }

    @Test
    void failuresAreAnsweredWithTheirStatus() {
        fault(creates(), Effect.tooManyRequests(3));
        Answer throttled = client.post(WIDGETS, widget("a", "red"));
        assertThat(throttled.code()).isEqualTo(429);
        assertThat(throttled.headers().firstValue("Retry-After")).contains("3");
        fault(creates(), Effect.internalError());
        assertThat(client.post(WIDGETS, widget("a", "red")).code()).isEqualTo(500);
        fault(Scope.any().named("a*"), Effect.conflict());
        assertThat(client.merge(WIDGETS + "/a1", "{}").at("/reason")).isEqualTo("Conflict");
        fault(Scope.any().onVerbs("watch"), Effect.expired());
        assertThat(client.get(WIDGETS + "?watch=1&timeoutSeconds=1").code()).isEqualTo(410);
        assertThat(client.post(WIDGETS, widget("a", "red")).code()).isEqualTo(201);
    }

    @Test
    void aListCanBeStale() {
        client.post(WIDGETS, widget("a", "red"));
        client.post(WIDGETS, widget("b", "red"));
        client.post(WIDGETS, widget("c", "red"));
        fault(Scope.any().onVerbs("list"), new Effect.StaleList(1));
        assertThat(client.get(WIDGETS).json().at("/items")).hasSize(2);
        assertThat(client.get(WIDGETS).json().at("/items")).hasSize(3);
    }

    @Test
    void aListCanShowWhatWasThereBeforeAFewSeconds() {
        client.post(WIDGETS, widget("a", "red"));
        fault(Scope.any().onVerbs("list"), new Effect.StaleListBySpan(Duration.ofMinutes(1)));
        assertThat(client.get(WIDGETS).json().at("/items")).isEmpty();
        assertThat(client.get(WIDGETS).json().at("/items")).hasSize(1);
    }

    @Test
    void aListCanShowWhatWasThereAtAVersion() {
        client.post(WIDGETS, widget("a", "red"));
        String version = client.get(WIDGETS).at("/metadata/resourceVersion");
        client.post(WIDGETS, widget("b", "red"));
        fault(Scope.any().onVerbs("list"), new Effect.StaleListAsOf(Long.parseLong(version)));
        Answer stale = client.get(WIDGETS);
        assertThat(stale.json().at("/items")).hasSize(1);
        assertThat(stale.at("/metadata/resourceVersion")).isEqualTo(version);
        assertThat(client.get(WIDGETS).json().at("/items")).hasSize(2);
    }

    @Test
    void onlyTheClientInScopeIsHit() {
        try (Client other =
                new Client(server, server.adminToken()).with("User-Agent", "agent/n1")) {
            server.faults().add(Scope.any().ofUserAgent("agent/n1"), new Effect.Partition());
            assertThatThrownBy(() -> other.trySend("GET", WIDGETS, "", ""))
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() -> other.trySend("GET", "/version", "", ""))
                    .isInstanceOf(IOException.class);
            assertThat(client.get(WIDGETS).code()).isEqualTo(200);
            server.faults().clear();
            assertThat(other.get(WIDGETS).code()).isEqualTo(200);
        }
    }

    @Test
    void latencyIsAdded() {
        fault(Scope.any(), Effect.latency(Duration.ofMillis(300)));
        long start = System.nanoTime();
        client.get(WIDGETS);
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isGreaterThan(Duration.ofMillis(290));
    }

    @Test
    void faultsAreSetListedAndRemovedOverHttp() {
        Answer added =
                client.post(
                        "/faults",
                        """
                        {"verbs": ["create"], "resource": "widgets", "effect": "throttle",
                         "retryAfterSeconds": 2, "count": 1}
                        """);
        assertThat(added.code()).isEqualTo(201);
        String id = added.at("/id");
        assertThat(client.post(WIDGETS, widget("a", "red")).code()).isEqualTo(429);
        assertThat(client.get("/faults").at("/items/0/hits")).isEqualTo("1");
        assertThat(client.delete("/faults/" + id).code()).isEqualTo(200);
        assertThat(client.delete("/faults/" + id).code()).isEqualTo(404);
        Answer wrong = client.post("/faults", "{\"effect\": \"earthquake\"}");
        assertThat(wrong.code()).isEqualTo(400);
        assertThat(wrong.message()).contains("latency, conflict, expired");
        client.post("/faults", "{\"effect\": \"partition\", \"user\": \"nobody\"}");
        client.delete("/faults");
        assertThat(server.faults().list()).isEmpty();
    }

    @Test
    void onlyAdministratorsSetFaults() {
        try (Client viewer = new Client(server, server.viewerToken())) {
            Answer refused = viewer.post("/faults", "{\"effect\": \"partition\"}");
            assertThat(refused.code()).isEqualTo(403);
            assertThat(refused.message())
                    .isEqualTo("forbidden: User \"viewer\" cannot post path \"/faults\"");
        }
        assertThat(server.faults().list()).isEmpty();
    }
}
