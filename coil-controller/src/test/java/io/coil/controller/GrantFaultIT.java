package io.coil.controller;

import static io.coil.controller.Cluster.eventually;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Scope;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Calls of a grant fail, or the cache does not know what is there. */
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
    @DisplayName("E2: the API is away for a while: answered within 5 s after it is back")
    void e2AnsweredSoonAfterTheApiIsWellAgain() {
        cluster.pool("default", 1, "10.1.0.0/29");
        FaultRule down =
                cluster.server
                        .faults()
                        .add(
                                OURS.onVerbs("create").onResource("addressblocks"),
                                Effect.unavailable());
        BlockRequest request = cluster.request("n1", "default");
        eventually(() -> cluster.reread(request).intent() != null);

        cluster.server.faults().remove(down.id());

        Cluster.within(Duration.ofSeconds(5), () -> cluster.reread(request).complete());
    }

    @Test
    @DisplayName(
            "B2: the status fails five times, the create's reply is lost, the cache lags: one block")
    void b2TheStatusFailsAndTheReplyOfTheCreateIsLostYetThereIsOneBlock() {
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.server
                .faults()
                .add(
                        FaultRule.of(
                                        "create",
                                        OURS.onVerbs("create").onResource("addressblocks"),
                                        new Effect.LostReply())
                                .times(1));
        cluster.server
                .faults()
                .add(
                        FaultRule.of(
                                        "status",
                                        OURS.onVerbs("update").onResource("blockrequests/status"),
                                        Effect.internalError())
                                .times(5));
        cluster.server
                .faults()
                .add(
                        FaultRule.of(
                                "lag",
                                OURS.onVerbs("watch"),
                                new Effect.WatchLag(Duration.ofSeconds(3))));

        BlockRequest answer = cluster.answer(cluster.request("n1", "default"));

        assertThat(answer.complete()).isTrue();
        assertThat(cluster.blockNames()).containsExactly("default-0");
    }

    @Test
    void theReplyOfTheStatusIsLostYetTheIntentIsKept() {
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.server
                .faults()
                .add(
                        FaultRule.of(
                                        "status",
                                        OURS.onVerbs("update").onResource("blockrequests/status"),
                                        new Effect.LostReply())
                                .times(2));

        BlockRequest answer = cluster.answer(cluster.request("n1", "default"));

        assertThat(answer.complete()).isTrue();
        assertThat(answer.intent()).isEqualTo("default-0");
        assertThat(cluster.blockNames()).containsExactly("default-0");
    }

    @Test
    @DisplayName("E5: 100 nodes ask at once, a fifth of the writes conflict: all served in 30 s")
    void e5AHundredNodesAskAtOnceAndAFifthOfTheWritesConflict() {
        cluster.pool("default", 0, "10.1.0.0/24");
        cluster.server
                .faults()
                .add(
                        FaultRule.of(
                                        "conflicts",
                                        OURS.onVerbs("update").onResource("blockrequests/status"),
                                        Effect.conflict())
                                .withProbability(0.2));
        List<BlockRequest> requests = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            cluster.node("node" + i);
            requests.add(cluster.request("node" + i, "default"));
        }

        Cluster.within(
                Duration.ofSeconds(30),
                () -> requests.stream().allMatch(r -> cluster.reread(r).complete()));

        assertThat(cluster.blockNames()).hasSize(100).doesNotHaveDuplicates();
    }
}
