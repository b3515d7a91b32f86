package io.coil.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.agent.cni.CniReply;
import io.coil.kubernetes.election.LeaderElection;
import io.coil.kubernetes.election.LeaseSettings;
import io.coil.kubernetes.time.VirtualThreads;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/** What the agent answers to the runtime's STATUS. */
class StatusIT {
    private static final Duration END = Duration.ofSeconds(5);

    /** Holds the lease as a controller does; its life is a second. */
    private static LeaderElection leader(Cluster cluster, String identity) {
        LeaderElection election =
                new LeaderElection(
                        cluster.api,
                        new VirtualThreads(),
                        LeaseSettings.controllers(identity)
                                .withTimes(
                                        Duration.ofSeconds(1),
                                        Duration.ofMillis(700),
                                        Duration.ofMillis(100)),
                        term -> {});
        election.start();
        await().until(election::isLeader);
        return election;
    }

    private static CniReply status(Cluster cluster) throws InterruptedException {
        return cluster.cni("STATUS", "", "", "", "");
    }

    private static void awaitStatus(Cluster cluster, int code) {
        await().atMost(Duration.ofSeconds(10))
                .until(() -> status(cluster).exitCode() == 0 ? 0 : 50, c -> c == code);
    }

    @Test
    @DisplayName(
            "H11: STATUS fails with code 50 when there is neither a free address nor a controller")
    void h11() throws Exception {
        try (Cluster cluster = new Cluster()) {
            cluster.p2();
            cluster.n1.start();
            LeaderElection first = leader(cluster, "first");

            await().during(Duration.ofSeconds(2))
                    .until(() -> status(cluster).exitCode(), code -> code == 0);
            first.stop(END);
            awaitStatus(cluster, 50);

            assertThat(status(cluster).standardOutput())
                    .contains("\"code\":50")
                    .contains("no address is free on this node")
                    .contains("no controller has renewed the lease kube-system/coil-ipam-leader");
            LeaderElection second = leader(cluster, "second");
            awaitStatus(cluster, 0);
            second.stop(END);
            awaitStatus(cluster, 50);
            cluster.startGranter();
            cluster.add("c1", "p1"); // its block has another address
            assertThat(status(cluster).exitCode()).as("an address is free").isZero();
            cluster.assertInvariants();
        }
    }

    @Test
    @DisplayName("H11: an agent that does not serve yet answers STATUS with code 50")
    void h11NotServing() throws Exception {
        try (Cluster cluster = new Cluster()) {
            assertThat(status(cluster).standardOutput()).contains("\"code\":50");
        }
    }
}
