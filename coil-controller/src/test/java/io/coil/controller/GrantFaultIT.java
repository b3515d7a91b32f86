package io.coil.controller;

import static io.coil.controller.Cluster.eventually;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Scope;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;
import io.kubernetes.client.openapi.models.CoreV1Event;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;

/** One call of a grant fails, or the cache does not know what is there. */
@OnBothServers
class GrantFaultIT {
    private static final Scope OURS = Scope.any().ofUserAgent("c1");

    private final Servers on;
    private Cluster cluster;

    GrantFaultIT(Servers on) {
        this.on = on;
    }

    @BeforeEach
    void start() {
        cluster = new Cluster(on);
        cluster.leader();
        cluster.node("n1");
        cluster.node("n2");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    @DisplayName("E1: the cache shows two of three blocks: a conflict, then default-3 within 10 s")
    void e1TheCacheDoesNotKnowABlock() {
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.answer(cluster.request("a", "n2", "default"));
        cluster.answer(cluster.request("b", "n2", "default"));
        cluster.server
                .faults()
                .add(
                        FaultRule.of(
                                "stall",
                                OURS.onVerbs("watch").onResource("addressblocks"),
                                new Effect.WatchStall()));
        cluster.block("default", 2, "n2", "10.1.0.4/31");
        Asking asking = new Asking(cluster);

        asking.ask("n1", "default");
        List<BlockRequest> answers = asking.answers(Duration.ofSeconds(10));

        assertThat(answers.getFirst().intent()).isEqualTo("default-3");
        assertThat(answers.getFirst().complete()).isTrue();
        assertThat(asking.anew()).isLessThanOrEqualTo(1);
    }

    @ParameterizedTest(name = "E2: {0} of {1} fails once: {2}")
    @CsvSource({
        "get,blockrequests,unavailable",
        "get,addresspools,unavailable",
        "update,blockrequests/status,unavailable",
        "update,blockrequests/status,lost",
        "update,blockrequests/status,conflict",
        "create,addressblocks,unavailable",
        "create,addressblocks,lost",
    })
    @DisplayName("E2: one call fails during a grant: answered within 5 s, never dropped")
    void e2OneCallFails(String verb, String resource, String how) {
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.server
                .faults()
                .add(
                        FaultRule.of(
                                        "once",
                                        OURS.onVerbs(verb).onResource(resource),
                                        switch (how) {
                                            case "lost" -> new Effect.LostReply();
                                            case "conflict" -> Effect.conflict();
                                            default -> Effect.unavailable();
                                        })
                                .times(1));

        BlockRequest request = cluster.request("n1", "default");

        Cluster.within(Duration.ofSeconds(5), () -> cluster.reread(request).complete());
        assertThat(cluster.blockNames()).containsExactly("default-0");
    }

    @Test
    @DisplayName("E2: the list that proves a pool exhausted fails once: answered within 5 s")
    void e2TheListFails() {
        cluster.pool("one", 0, "10.2.0.0/32");
        cluster.answer(cluster.request("a", "n2", "one"));
        cluster.server
                .faults()
                .add(
                        FaultRule.of(
                                        "once",
                                        OURS.onVerbs("list").onResource("addressblocks"),
                                        Effect.unavailable())
                                .times(1));

        BlockRequest request = cluster.request("n1", "one");

        Cluster.within(Duration.ofSeconds(5), () -> cluster.reread(request).failed());
    }

    @Test
    @DisplayName("D3: a request in the moment of the pool's deletion: no block afterwards")
    void d3ARequestInTheMomentOfTheDeletion() {
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.node("n3");
        for (int i = 0; i < 10; i++) {
            BlockRequest request = cluster.request("r" + i, "n3", "default");
            cluster.api.delete(Kinds.POOLS, null, "default", Preconditions.NONE);
            BlockRequest answer = cluster.answer(request);
            // either it was faster, and its node gives the block back, or it is told why
            if (answer.complete()) {
                cluster.giveBack(String.valueOf(answer.intent()));
            } else {
                assertThat(Asking.reason(answer)).isIn("PoolBeingDeleted", "UnknownPool");
            }
            eventually(() -> !cluster.exists(Kinds.POOLS, "default"));
            assertThat(cluster.blocks()).isEmpty();
            cluster.pool("default", 1, "10.1.0.0/29");
        }
    }

    @Test
    @DisplayName("F5: names of 63 characters work, for the node and for the pool")
    void f5NamesOf63() {
        String node = "n".repeat(63);
        String pool = "p".repeat(63);
        cluster.node(node);
        cluster.pool(pool, 1, "10.1.0.0/29");

        BlockRequest answer = cluster.answer(cluster.request("r", node, pool));

        assertThat(answer.complete()).isTrue();
        assertThat(cluster.blocks().getFirst().node()).isEqualTo(node);
    }

    @Test
    @DisplayName("H5: the events of node and pool are the sentence, and are limited")
    void h5EventsAreLimited() {
        cluster.pool("default", 1, "10.1.0.0/29");
        for (int i = 0; i < 3; i++) {
            cluster.answer(cluster.request("a" + i, "n1", "default"));
        }
        cluster.answer(cluster.request("b", "n2", "default"));

        for (int i = 0; i < 30; i++) {
            assertThat(cluster.answer(cluster.request("c" + i, "n2", "default")).failed()).isTrue();
        }

        String sentence = "pool default: 4/4 blocks in use (n1: 3, n2: 1), 0 leak candidates";
        for (String kind : List.of("Node", "AddressPool")) {
            eventually(() -> said(kind).stream().anyMatch(e -> count(e) >= 10));
            assertThat(said(kind))
                    .as(kind)
                    .singleElement()
                    .satisfies(
                            e -> {
                                assertThat(e.getMessage()).isEqualTo(sentence);
                                assertThat(e.getType()).isEqualTo("Warning");
                            });
        }
        assertThat(cluster.server.requests().sum(k -> k.resource().equals("events") && k.write()))
                .isLessThanOrEqualTo(22);
        // after freeing, the next try works
        cluster.giveBack("default-0");
        assertThat(cluster.answer(cluster.request("d", "n2", "default")).complete()).isTrue();
    }

    @Test
    void aBlockThatTheApiServerRefusesIsToldAndTriedAgain() {
        cluster.pool("default", 1, "10.1.0.0/29");
        FaultRule policy =
                cluster.server
                        .faults()
                        .add(
                                OURS.onVerbs("create").onResource("addressblocks"),
                                new Effect.Refusal(403, "Forbidden", "a policy says no", null));
        BlockRequest request = cluster.request("n1", "default");

        eventually(
                () ->
                        events("AddressPool", "BlockRefused").stream()
                                .anyMatch(
                                        e ->
                                                String.valueOf(e.getMessage())
                                                        .contains("a policy says no")));
        assertThat(cluster.reread(request).open()).isTrue();
        cluster.server.faults().remove(policy.id());
        Cluster.within(Duration.ofSeconds(30), () -> cluster.reread(request).complete());
    }

    private List<CoreV1Event> said(String kind) {
        return events(kind, "Exhausted");
    }

    private List<CoreV1Event> events(String kind, String reason) {
        return cluster.api.list(Kinds.EVENTS, Selection.ALL).items().stream()
                .filter(e -> kind.equals(e.getInvolvedObject().getKind()))
                .filter(e -> reason.equals(e.getReason()))
                .toList();
    }

    private static int count(CoreV1Event event) {
        return event.getCount() == null ? 0 : event.getCount();
    }
}
