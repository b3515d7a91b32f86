package io.coil.controller;

import static io.coil.controller.Cluster.eventually;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Scope;
import io.coil.controller.view.ClusterView;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Finalizers;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A pool that was made while the webhook was away, and that the controller's watch does not show
 * yet: nothing but the grant can put the finalizer on in time.
 */
@OnBothServers
class GuardedPoolIT {
    private final Servers on;
    private Cluster cluster;

    GuardedPoolIT(Servers on) {
        this.on = on;
    }

    @BeforeEach
    void start() {
        cluster = new Cluster(on);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    @DisplayName("the pool has its finalizer before the first block of it is made, and then stays")
    void theFinalizerComesBeforeTheBlock() {
        boolean[] guarded = {false};
        KubeApi client = cluster.client("c1");
        Between create =
                Between.before(
                        "create",
                        Kinds.BLOCKS,
                        client,
                        () -> guarded[0] = Finalizers.has(pool().metadata()));
        Controller leader = cluster.controller("c1", create.api());
        eventually(leader::isGranting);
        aPoolThatIsNotSeen(leader.view());
        cluster.node("n1");

        cluster.answer(cluster.request("a", "n1", "default"));

        assertThat(cluster.blockNames()).containsExactly("default-0");
        assertThat(guarded[0]).isTrue();
        cluster.api.delete(Kinds.POOLS, null, "default", Preconditions.NONE);
        assertThat(cluster.exists(Kinds.POOLS, "default")).isTrue();
    }

    @Test
    @DisplayName("a pool that changed in between is read again at once, and granted from")
    void aChangeInBetweenDelaysNothing() {
        KubeApi client = cluster.client("c1");
        Between patch = Between.before("patch", Kinds.POOLS, client, this::touch);
        Controller leader = cluster.controller("c1", patch.api());
        eventually(leader::isGranting);
        aPoolThatIsNotSeen(leader.view());
        cluster.node("n1");

        cluster.answer(cluster.request("a", "n1", "default"));

        assertThat(patch.happened()).isTrue();
        assertThat(patch.calls())
                .containsSubsequence(
                        "patch addresspools",
                        "get addresspools",
                        "patch addresspools",
                        "create addressblocks");
        assertThat(Finalizers.has(pool().metadata())).isTrue();
        assertThat(cluster.blockNames()).containsExactly("default-0");
    }

    private void aPoolThatIsNotSeen(ClusterView view) {
        cluster.server
                .faults()
                .add(
                        FaultRule.of(
                                "stall",
                                Scope.any()
                                        .ofUserAgent("c1")
                                        .onVerbs("watch")
                                        .onResource("addresspools"),
                                new Effect.WatchStall()));
        cluster.pool("default", 1, "10.1.0.0/29");
        assertThat(Finalizers.has(pool().metadata())).isFalse();
        assertThat(view.pool("default")).isNull();
    }

    private void touch() {
        cluster.api.patch(
                Kinds.POOLS,
                null,
                "default",
                Preconditions.NONE,
                "{\"metadata\":{\"annotations\":{\"note\":\"changed\"}}}");
    }

    private AddressPool pool() {
        return cluster.api.get(Kinds.POOLS, null, "default").orElseThrow();
    }
}
