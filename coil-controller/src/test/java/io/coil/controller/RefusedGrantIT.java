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
import io.coil.kubernetes.resource.Names;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;
import io.kubernetes.client.openapi.models.CoreV1Event;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Requests that get no block, or nearly none: whoever asked is told why, at once. */
@OnBothServers
class RefusedGrantIT {
    private final Servers on;
    private Cluster cluster;

    RefusedGrantIT(Servers on) {
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
    @DisplayName("H5: when the blocks are out, the failure says who has them")
    void h5WhenTheBlocksAreOutTheFailureSaysWhoHasThem() {
        cluster.fullPool();

        BlockRequest answer = cluster.answer(cluster.request("e", "n2", "default"));

        assertThat(answer.failed()).isTrue();
        BlockRequest.Condition why = Objects.requireNonNull(answer.condition(BlockRequest.FAILED));
        assertThat(why.reason()).isEqualTo("Exhausted");
        assertThat(why.message())
                .isEqualTo(
                        "pool default: 4/4 blocks in use (n1: 2, n2: 1, n3: 1), 0 leak candidates");
        cluster.giveBack("default-2");
        assertThat(cluster.answer(cluster.request("f", "n2", "default")).complete()).isTrue();
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
    @DisplayName("D3: a pool that is being deleted grants nothing, and says so")
    void d3NoBlockOfAPoolThatIsBeingDeleted() {
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.answer(cluster.request("a", "n1", "default"));
        cluster.api.delete(Kinds.POOLS, null, "default", Preconditions.NONE);

        BlockRequest answer = cluster.answer(cluster.request("b", "n1", "default"));

        BlockRequest.Condition why = Objects.requireNonNull(answer.condition(BlockRequest.FAILED));
        assertThat(why.reason()).isEqualTo("PoolBeingDeleted");
        assertThat(cluster.blockNames()).containsExactly("default-0");
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
    @DisplayName("F5: a name that is too long for a label is told at once")
    void f5ANameThatIsTooLongIsToldAtOnce() {
        cluster.pool("default", 1, "10.1.0.0/29");
        String node = "n".repeat(70);
        cluster.node(node);

        BlockRequest answer = cluster.answer(cluster.request("long", node, "default"));

        BlockRequest.Condition why = Objects.requireNonNull(answer.condition(BlockRequest.FAILED));
        assertThat(why.reason()).isEqualTo("NameTooLong");
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
    void theLimitPerNodeHolds() {
        cluster.pool("default", Map.of(Names.MAX_BLOCKS_PER_NODE, "1"), 1, "10.1.0.0/29");
        cluster.answer(cluster.request("a", "n1", "default"));

        BlockRequest answer = cluster.answer(cluster.request("b", "n1", "default"));

        BlockRequest.Condition why = Objects.requireNonNull(answer.condition(BlockRequest.FAILED));
        assertThat(why.reason()).isEqualTo("NodeLimit");
    }

    @Test
    void anUnknownPoolIsToldAtOnce() {

        BlockRequest answer = cluster.answer(cluster.request("n1", "nowhere"));

        BlockRequest.Condition why = Objects.requireNonNull(answer.condition(BlockRequest.FAILED));
        assertThat(why.reason()).isEqualTo("UnknownPool");
    }

    @Test
    void aBlockThatTheApiServerRefusesIsToldAndTriedAgain() {
        cluster.pool("default", 1, "10.1.0.0/29");
        FaultRule policy =
                cluster.server
                        .faults()
                        .add(
                                Scope.any()
                                        .ofUserAgent("c1")
                                        .onVerbs("create")
                                        .onResource("addressblocks"),
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
