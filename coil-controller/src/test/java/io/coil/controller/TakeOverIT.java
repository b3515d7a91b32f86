package io.coil.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Scope;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/** One leader after another. */
@OnBothServers
class TakeOverIT {
    private final Servers on;
    private Cluster cluster;

    TakeOverIT(Servers on) {
        this.on = on;
    }

    @BeforeEach
    void start() {
        cluster = new Cluster(on);
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.node("n1");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void a7NoGrantBeforeAConsistentListOfBlocks() throws InterruptedException {
        Controller first = cluster.leader();
        cluster.answer(cluster.request("a", "n1", "default"));
        first.stop();
        FaultRule slow =
                cluster.server
                        .faults()
                        .add(
                                Scope.any()
                                        .ofUserAgent("c2")
                                        .onVerbs("list")
                                        .onResource("addressblocks"),
                                Effect.unavailable());
        Controller second = cluster.controller();
        BlockRequest request = cluster.request("b", "n1", "default");
        Cluster.eventually(second::isLeader);
        assertThat(second.isGranting()).isFalse();
        assertThat(cluster.reread(request).open()).isTrue();

        cluster.server.faults().remove(slow.id());

        BlockRequest answer = cluster.answer(request);
        assertThat(answer.complete()).isTrue();
        assertThat(answer.intent()).isEqualTo("default-1");
    }

    @Test
    void aLeaderThatIsCutOffStartsNoGrantAndTheOtherOneAnswers() {
        Controller first = cluster.leader(Cluster.SHORT_LEASE);
        Controller second = cluster.controller();
        FaultRule cut =
                cluster.server.faults().add(Scope.any().ofUserAgent("c1"), new Effect.Partition());

        Cluster.eventually(second::isGranting);
        assertThat(first.isLeader()).isFalse();
        assertThat(cluster.answer(cluster.request("a", "n1", "default")).complete()).isTrue();
        cluster.server.faults().remove(cut.id());
        Cluster.within(Duration.ofSeconds(20), () -> first.view().block("default-0") != null);
        assertThat(cluster.exists(Kinds.BLOCKS, "default-0")).isTrue();
        assertThat(cluster.blocks()).hasSize(1);
    }
}
