package io.coil.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A leader dies between any two of its steps; another one goes on. */
@OnBothServers
class CrashIT {
    private final Servers on;
    private Cluster cluster;

    CrashIT(Servers on) {
        this.on = on;
    }

    @BeforeEach
    void start() {
        cluster = new Cluster(on);
        cluster.pool("one", 0, "10.2.0.0/32");
        cluster.node("n1");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** Whether the last write of the dying one took effect is the second number. */
    @ParameterizedTest(name = "dies at write {0} of a grant, took effect: {1}")
    @CsvSource({"1,false", "1,true", "2,false", "2,true", "3,false", "3,true"})
    void aGrantIsFinishedOnceWhereverTheLeaderDies(int write, boolean tookEffect)
            throws InterruptedException {
        DyingApi dying = new DyingApi(cluster.client("dying"), write, tookEffect);
        Controller first = cluster.controller("dying", dying);
        Cluster.eventually(first::isGranting);
        BlockRequest request = cluster.request("n1", "one");
        Cluster.eventually(dying::isDead);
        first.stop();
        cluster.forgetLease();

        cluster.leader();

        assertThat(cluster.answer(request).complete()).isTrue();
        assertThat(cluster.blockNames()).containsExactly("one-0");
    }

    @ParameterizedTest(name = "dies at write {0} of a collection, took effect: {1}")
    @CsvSource({"1,false", "1,true", "2,false", "2,true"})
    void anOrphanIsCollectedWhereverTheLeaderDies(int write, boolean tookEffect)
            throws InterruptedException {
        cluster.block("one", 0, "gone", "10.2.0.0/32");
        DyingApi dying = new DyingApi(cluster.client("dying"), write, tookEffect);
        Controller first = cluster.controller("dying", dying);
        Cluster.eventually(dying::isDead);
        first.stop();
        cluster.forgetLease();

        cluster.leader();

        Cluster.eventually(() -> !cluster.exists(Kinds.BLOCKS, "one-0"));
    }
}
