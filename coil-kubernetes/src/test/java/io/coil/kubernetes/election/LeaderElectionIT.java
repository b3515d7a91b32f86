package io.coil.kubernetes.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Scope;
import io.coil.kubernetes.TestCluster;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.time.VirtualThreads;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

class LeaderElectionIT {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final TestCluster cluster = new TestCluster();
    private final List<Candidate> candidates = new ArrayList<>();

    /** What happened, in order. */
    private final List<String> told = new CopyOnWriteArrayList<>();

    /** Somebody who stands for the lease; leading is waiting to be stopped. */
    private final class Candidate implements Duty {
        final String name;
        final LeaderElection election;
        volatile boolean fails;

        Candidate(String name) {
            this.name = name;
            LeaseSettings settings =
                    LeaseSettings.controllers(name)
                            .withTimes(
                                    Duration.ofSeconds(3),
                                    Duration.ofMillis(1500),
                                    Duration.ofMillis(200));
            election =
                    new LeaderElection(cluster.client(name), new VirtualThreads(), settings, this);
            candidates.add(this);
        }

        @Override
        public void onLeading(Term term) throws InterruptedException {
            told.add(name + " leads");
            if (fails) {
                throw new IllegalStateException("this term was to fail");
            }
            new VirtualThreads().sleep(Duration.ofDays(1));
        }

        @Override
        public void onStopped(Term term) {
            told.add(name + " stopped" + (term.held() ? " while it held the lease" : ""));
        }
    }

    @AfterEach
    void stop() throws Exception {
        cluster.server.faults().clear();
        for (Candidate candidate : candidates) {
            candidate.election.stop(LONG);
        }
        cluster.close();
    }

    @Test
    void oneLeadsAndItsLeaseIsCoils() {
        Candidate a = started("a");
        await().atMost(LONG).until(a.election::isLeader);
        Candidate b = started("b");

        await().atMost(LONG).until(() -> "a".equals(b.election.holder()));

        assertThat(b.election.isLeader()).isFalse();
        assertThat(told).containsExactly("a leads");
        var spec =
                cluster.client("x")
                        .get(Kinds.LEASES, "kube-system", "coil-ipam-leader")
                        .orElseThrow()
                        .getSpec();
        assertThat(spec.getHolderIdentity()).isEqualTo("a");
        assertThat(spec.getLeaseDurationSeconds()).isEqualTo(3);
    }

    @Test
    void aLeaseThatIsGivenBackIsTakenAtOnce() throws Exception {
        Candidate a = started("a");
        await().atMost(LONG).until(a.election::isLeader);
        Candidate b = started("b");
        await().atMost(LONG).until(() -> "a".equals(b.election.holder()));

        long begun = System.nanoTime();
        a.election.stop(LONG);
        await().atMost(LONG).until(b.election::isLeader);

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(2));
        assertThat(told).containsExactly("a leads", "a stopped", "b leads");
        assertThat(a.election.isLeader()).isFalse();
    }

    @Test
    void aLeaderThatIsCutOffStopsBeforeAnybodyElseBegins() {
        Candidate a = started("a");
        await().atMost(LONG).until(a.election::isLeader);
        Candidate b = started("b");
        await().atMost(LONG).until(() -> "a".equals(b.election.holder()));

        cluster.server
                .faults()
                .add(FaultRule.of("cut", Scope.any().ofUser("a"), new Effect.Partition()));

        await().atMost(LONG).until(b.election::isLeader);
        assertThat(told).startsWith("a leads", "a stopped", "b leads");
        cluster.server.faults().clear();
        await().atMost(LONG).until(() -> "b".equals(a.election.holder()));
        assertThat(a.election.isLeader()).isFalse();
    }

    @Test
    void aLeaderWhoseRenewalsHangStopsInTimeToo() {
        Candidate a = started("a");
        await().atMost(LONG).until(a.election::isLeader);
        Candidate b = started("b");
        await().atMost(LONG).until(() -> "a".equals(b.election.holder()));

        cluster.server
                .faults()
                .add(
                        FaultRule.of(
                                "slow",
                                Scope.any().ofUser("a"),
                                Effect.latency(Duration.ofSeconds(4))));

        await().atMost(LONG).until(b.election::isLeader);
        assertThat(told).startsWith("a leads", "a stopped", "b leads");
    }

    @Test
    void someFailuresDoNotEndATerm() {
        Candidate a = started("a");
        await().atMost(LONG).until(a.election::isLeader);
        Scope renewals = Scope.any().ofUser("a").onResource("leases");
        cluster.server
                .faults()
                .add(FaultRule.of("lost", renewals, new Effect.LostReply()).times(2));
        cluster.server
                .faults()
                .add(FaultRule.of("error", renewals, Effect.internalError()).times(2));

        await().atMost(LONG)
                .until(() -> cluster.server.faults().list().stream().allMatch(f -> f.hits() == 2));
        long before = renewals("a");
        await().atMost(LONG).until(() -> renewals("a") >= before + 8);

        assertThat(a.election.isLeader()).isTrue();
        assertThat(told).containsExactly("a leads");
    }

    @Test
    void workThatFailsEndsTheTermAndAnotherFollows() {
        Candidate a = new Candidate("a");
        a.fails = true;
        a.election.start();
        await().atMost(LONG).until(() -> told.contains("a stopped"));
        a.fails = false;

        await().atMost(LONG).until(() -> told.getLast().equals("a leads"));
    }

    @Test
    void aLeaseThatIsTakenAwayEndsTheTerm() {
        Candidate a = started("a");
        await().atMost(LONG).until(a.election::isLeader);

        cluster.client("x")
                .patch(
                        Kinds.LEASES,
                        Names.LEASE_NAMESPACE,
                        Names.LEASE,
                        Preconditions.NONE,
                        "{\"spec\":{\"holderIdentity\":\"somebody\"}}");

        await().atMost(LONG).until(() -> told.contains("a stopped"));
        assertThat(a.election.holder()).isEqualTo("somebody");
        assertThat(a.election.isLeader()).isFalse();
    }

    private long renewals(String name) {
        return cluster.server
                .requests()
                .sum(k -> k.user().equals(name) && k.verb().equals("update") && k.code() == 200);
    }

    private Candidate started(String name) {
        Candidate candidate = new Candidate(name);
        candidate.election.start();
        return candidate;
    }
}
