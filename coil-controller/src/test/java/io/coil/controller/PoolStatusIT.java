package io.coil.controller;

import static io.coil.controller.Cluster.eventually;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Names;
import io.kubernetes.client.openapi.models.CoreV1Event;
import io.kubernetes.client.openapi.models.V1Condition;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A pool says how it is: exact numbers, and conditions that a person can act on. */
class PoolStatusIT {
    private Cluster cluster;

    @BeforeEach
    void start() {
        cluster = new Cluster();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    @DisplayName("H1: P2 with one address used has 4/1 blocks and 8/1 addresses")
    void h1TheNumbersAreExact() {
        cluster.leader();
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.node("n1");
        cluster.answer(cluster.request("a", "n1", "default"));
        Reports.write(cluster, "n1", Map.of("default-0", 1L));

        eventually(() -> cluster.says("default").addresses().used().equals("1"));

        assertThat(cluster.says("default").blocks())
                .isEqualTo(new AddressPool.Count("4", "1", "3", "0"));
        assertThat(cluster.says("default").addresses())
                .isEqualTo(new AddressPool.Count("8", "1", "7", "0"));
        assertThat(cluster.says("default").condition("Ready").getStatus()).isEqualTo("True");
        assertThat(cluster.says("default").condition("Exhausted").getStatus()).isEqualTo("False");
        assertThat(cluster.says("default").condition("Overlapping").getStatus()).isEqualTo("False");
    }

    @Test
    @DisplayName("D7: numbers beyond 2^63 are exact; what no index can name is not free")
    void d7NumbersBeyondALongAreExact() {
        cluster.leader();
        cluster.pool("huge", 0, "fd00::/48");
        cluster.node("n1");
        cluster.answer(cluster.request("a", "n1", "huge"));

        eventually(() -> cluster.says("huge").blocks().used().equals("1"));

        assertThat(cluster.says("huge").blocks())
                .isEqualTo(
                        new AddressPool.Count("1208925819614629174706176", "1", "2147483647", "0"));
    }

    @Test
    @DisplayName("H5: the condition of an exhausted pool is the sentence, and what to do")
    void h5TheConditionSaysWhoHasTheBlocks() {
        cluster.leader();
        cluster.fullPool();
        Reports.write(cluster, "n1", Map.of("default-0", 2L, "default-1", 2L));
        Reports.write(cluster, "n2", Map.of("default-2", 0L));

        eventually(
                () ->
                        cluster.says("default")
                                .message("Exhausted")
                                .equals(
                                        "pool default: 4/4 blocks in use (n1: 2, n2: 1, n3: 1),"
                                                + " 1 leak candidate: start a collection, or add a"
                                                + " subnet"));
        assertThat(cluster.says("default").blocks().free()).isEqualTo("0");

        cluster.giveBack("default-2");

        eventually(
                () -> cluster.says("default").condition("Exhausted").getStatus().equals("False"));
        eventually(
                () ->
                        said("BlocksLeft")
                                .equals(List.of("pool default has blocks again: 1 of 4 are free")));
    }

    @Test
    @DisplayName("D2: a deleted pool says which nodes and how many pods hold it")
    void d2WhoHoldsADeletedPool() {
        cluster.leader();
        cluster.fullPool();
        eventually(() -> cluster.says("default").guarded());
        Reports.write(cluster, "n1", Map.of("default-0", 2L, "default-1", 1L));
        Reports.write(cluster, "n2", Map.of("default-2", 0L));

        cluster.api.delete(Kinds.POOLS, null, "default", Preconditions.NONE);

        String held =
                "deleting, held by 2 blocks on n1 (3 pods), 1 block on n2 (no pods), 1 block on n3:"
                        + " it goes when their pods have gone";
        eventually(() -> cluster.says("default").message("Deleting").equals(held));
        assertThat(cluster.says("default").condition("Ready").getStatus()).isEqualTo("False");
        assertThat(cluster.says("default").condition("Ready").getReason()).isEqualTo("Deleting");
        eventually(() -> !said("Deleting").isEmpty());
        for (int i = 0; i < 4; i++) {
            cluster.giveBack("default-" + i);
        }
        eventually(() -> !cluster.exists(Kinds.POOLS, "default"));
    }

    @Test
    @DisplayName("D5: pools that overlap all the same say where")
    void d5OverlapIsACondition() {
        cluster.leader();
        cluster.pool("a", 0, "10.1.0.0/32");
        cluster.pool("b", 0, "10.1.0.0/30");

        eventually(() -> cluster.says("a").condition("Overlapping").getStatus().equals("True"));

        assertThat(cluster.says("a").message("Overlapping"))
                .isEqualTo(
                        "shares addresses with b (10.1.0.0/32 meets 10.1.0.0/30): what one has"
                                + " granted, the other cannot; keep one of them");
        eventually(() -> said("Overlapping").size() == 2);
    }

    @Test
    void aPoolWhoseAddressesAnotherPoolHasGrantedIsExhaustedToo() {
        cluster.leader();
        cluster.pool("a", 0, "10.1.0.0/32");
        cluster.pool("b", 0, "10.1.0.0/32");
        cluster.node("n1");
        cluster.answer(cluster.request("r", "n1", "a"));

        eventually(() -> cluster.says("b").condition("Exhausted").getStatus().equals("True"));

        assertThat(cluster.says("b").message("Exhausted"))
                .startsWith("pool b: 0/1 blocks in use, the rest is promised to requests, meets");
    }

    @Test
    void aPoolThatCannotBeReadSaysSo() {
        cluster.leader();
        cluster.pool("bad", 1, "garbage");

        eventually(() -> cluster.says("bad").condition("Ready").getReason().equals("Invalid"));

        assertThat(cluster.says("bad").message("Ready"))
                .contains("spec.subnets[0].ipv4", "\"garbage\"");
        eventually(() -> said("PoolInvalid").size() == 1);
    }

    @Test
    void aDrainedPoolIsNotReadyAndSaysWhy() {
        cluster.leader();
        cluster.pool("default", Map.of(Names.DRAIN, "true"), 1, "10.1.0.0/29");

        eventually(() -> cluster.says("default").condition("Ready").getReason().equals("Drained"));

        assertThat(cluster.says("default").message("Ready")).contains(Names.DRAIN);
    }

    @Test
    void aConditionKeepsItsTimeWhileItsStatusStaysAndNamesTheGeneration() {
        cluster.leader();
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.node("n1");
        eventually(() -> cluster.says("default").condition("Ready").getStatus().equals("True"));
        V1Condition first = cluster.says("default").condition("Ready");
        assertThat(first.getObservedGeneration()).isEqualTo(1);

        cluster.api.patch(
                Kinds.POOLS,
                null,
                "default",
                Preconditions.NONE,
                "{\"spec\":{\"subnets\":[{\"ipv4\":\"10.1.0.0/29\"},{\"ipv4\":\"10.5.0.0/29\"}]}}");

        eventually(() -> cluster.says("default").blocks().total().equals("8"));
        V1Condition second = cluster.says("default").condition("Ready");
        assertThat(second.getObservedGeneration()).isEqualTo(2);
        assertThat(cluster.says("default").status().observedGeneration()).isEqualTo(2);
        assertThat(second.getLastTransitionTime()).isEqualTo(first.getLastTransitionTime());
    }

    @Test
    void manyChangesInOneIntervalAreOneWrite() {
        cluster.leader("controller.pool-status-interval", "3s");
        cluster.pool("default", 0, "10.1.0.0/24");
        cluster.node("n1");
        eventually(
                () ->
                        cluster.says("default").guarded()
                                && cluster.says("default").status().blocks() != null);
        long before = statusWrites();
        long begun = cluster.timeline.nanos();

        for (int i = 0; i < 20; i++) {
            cluster.answer(cluster.request("r" + i, "n1", "default"));
        }

        eventually(() -> cluster.says("default").blocks().used().equals("20"));
        long intervals =
                Duration.ofNanos(cluster.timeline.nanos() - begun).dividedBy(Duration.ofSeconds(3));
        assertThat(statusWrites() - before).isBetween(1L, intervals + 1);
    }

    @Test
    void nothingIsWrittenWhileNothingChanges() {
        cluster.leader();
        cluster.pool("default", 1, "10.1.0.0/29");
        eventually(
                () ->
                        cluster.says("default").guarded()
                                && cluster.says("default").status().blocks() != null);
        long before = statusWrites();

        cluster.node("n1");
        cluster.ready("n1", false);
        cluster.ready("n1", true);
        cluster.answer(cluster.request("r", "n1", "nowhere"));

        assertThat(statusWrites()).isEqualTo(before);
    }

    private long statusWrites() {
        return cluster.server.requests().sum(k -> k.resource().equals("addresspools") && k.write());
    }

    private List<String> said(String reason) {
        return cluster.api.list(Kinds.EVENTS, Selection.ALL).items().stream()
                .filter(e -> "AddressPool".equals(e.getInvolvedObject().getKind()))
                .filter(e -> reason.equals(e.getReason()))
                .map(CoreV1Event::getMessage)
                .toList();
    }
}
