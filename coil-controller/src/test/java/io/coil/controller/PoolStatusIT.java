package io.coil.controller;

import static io.coil.controller.Cluster.eventually;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Meta;
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
import java.util.Objects;
import java.util.Optional;

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

        eventually(() -> addresses("default").used().equals("1"));

        assertThat(blocks("default")).isEqualTo(new AddressPool.Count("4", "1", "3", "0"));
        assertThat(addresses("default")).isEqualTo(new AddressPool.Count("8", "1", "7", "0"));
        assertThat(condition("default", "Ready").getStatus()).isEqualTo("True");
        assertThat(condition("default", "Exhausted").getStatus()).isEqualTo("False");
        assertThat(condition("default", "Overlapping").getStatus()).isEqualTo("False");
    }

    @Test
    @DisplayName("D7: numbers beyond 2^63 are exact; what no index can name is not free")
    void d7NumbersBeyondALongAreExact() {
        cluster.leader();
        cluster.pool("huge", 0, "fd00::/48");
        cluster.node("n1");
        cluster.answer(cluster.request("a", "n1", "huge"));

        eventually(() -> blocks("huge").used().equals("1"));

        assertThat(blocks("huge"))
                .isEqualTo(
                        new AddressPool.Count("1208925819614629174706176", "1", "2147483647", "0"));
    }

    @Test
    @DisplayName("H5: the condition of an exhausted pool is the sentence, and what to do")
    void h5TheConditionSaysWhoHasTheBlocks() {
        cluster.leader();
        cluster.pool("default", 1, "10.1.0.0/29");
        for (String node : List.of("n1", "n2", "n3")) {
            cluster.node(node);
        }
        cluster.answer(cluster.request("a", "n1", "default"));
        cluster.answer(cluster.request("b", "n1", "default"));
        cluster.answer(cluster.request("c", "n2", "default"));
        cluster.answer(cluster.request("d", "n3", "default"));
        Reports.write(cluster, "n1", Map.of("default-0", 2L, "default-1", 2L));
        Reports.write(cluster, "n2", Map.of("default-2", 0L));

        eventually(
                () ->
                        message("default", "Exhausted")
                                .equals(
                                        "pool default: 4/4 blocks in use (n1: 2, n2: 1, n3: 1),"
                                                + " 1 leak candidate: start a collection, or add a"
                                                + " subnet"));
        assertThat(blocks("default").free()).isEqualTo("0");

        cluster.giveBack("default-2");

        eventually(() -> condition("default", "Exhausted").getStatus().equals("False"));
        eventually(
                () ->
                        said("BlocksLeft")
                                .equals(List.of("pool default has blocks again: 1 of 4 are free")));
    }

    @Test
    @DisplayName("D2: a deleted pool says which nodes and how many pods hold it")
    void d2WhoHoldsADeletedPool() {
        cluster.leader();
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.node("n1");
        cluster.node("n2");
        cluster.node("n3");
        eventually(() -> Meta.finalizers(pool("default").metadata()).contains(Names.FINALIZER));
        cluster.answer(cluster.request("a", "n1", "default"));
        cluster.answer(cluster.request("b", "n1", "default"));
        cluster.answer(cluster.request("c", "n2", "default"));
        cluster.answer(cluster.request("d", "n3", "default"));
        Reports.write(cluster, "n1", Map.of("default-0", 2L, "default-1", 1L));
        Reports.write(cluster, "n2", Map.of("default-2", 0L));

        cluster.api.delete(Kinds.POOLS, null, "default", Preconditions.NONE);

        String held =
                "deleting, held by 2 blocks on n1 (3 pods), 1 block on n2 (no pods), 1 block on n3:"
                        + " it goes when their pods have gone";
        eventually(() -> message("default", "Deleting").equals(held));
        assertThat(condition("default", "Ready").getStatus()).isEqualTo("False");
        assertThat(condition("default", "Ready").getReason()).isEqualTo("Deleting");
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

        eventually(() -> condition("a", "Overlapping").getStatus().equals("True"));

        assertThat(message("a", "Overlapping"))
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

        eventually(() -> condition("b", "Exhausted").getStatus().equals("True"));

        assertThat(message("b", "Exhausted"))
                .startsWith("pool b: 0/1 blocks in use, the rest is promised to requests, meets");
    }

    @Test
    void aPoolThatCannotBeReadSaysSo() {
        cluster.leader();
        cluster.pool("bad", 1, "garbage");

        eventually(() -> condition("bad", "Ready").getReason().equals("Invalid"));

        assertThat(message("bad", "Ready")).contains("spec.subnets[0].ipv4", "\"garbage\"");
        eventually(() -> said("PoolInvalid").size() == 1);
    }

    @Test
    void aDrainedPoolIsNotReadyAndSaysWhy() {
        cluster.leader();
        cluster.pool("default", Map.of(Names.DRAIN, "true"), 1, "10.1.0.0/29");

        eventually(() -> condition("default", "Ready").getReason().equals("Drained"));

        assertThat(message("default", "Ready")).contains(Names.DRAIN);
    }

    @Test
    void aConditionKeepsItsTimeWhileItsStatusStaysAndNamesTheGeneration() {
        cluster.leader();
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.node("n1");
        eventually(() -> condition("default", "Ready").getStatus().equals("True"));
        V1Condition first = condition("default", "Ready");
        assertThat(first.getObservedGeneration()).isEqualTo(1);

        cluster.api.patch(
                Kinds.POOLS,
                null,
                "default",
                Preconditions.NONE,
                "{\"spec\":{\"subnets\":[{\"ipv4\":\"10.1.0.0/29\"},{\"ipv4\":\"10.5.0.0/29\"}]}}");

        eventually(() -> blocks("default").total().equals("8"));
        V1Condition second = condition("default", "Ready");
        assertThat(second.getObservedGeneration()).isEqualTo(2);
        assertThat(status("default").observedGeneration()).isEqualTo(2);
        assertThat(second.getLastTransitionTime()).isEqualTo(first.getLastTransitionTime());
    }

    @Test
    void manyChangesInOneIntervalAreOneWrite() {
        cluster.leader("controller.pool-status-interval", "3s");
        cluster.pool("default", 0, "10.1.0.0/24");
        cluster.node("n1");
        eventually(
                () ->
                        Meta.finalizers(pool("default").metadata()).contains(Names.FINALIZER)
                                && status("default").blocks() != null);
        long before = statusWrites();
        long begun = cluster.timeline.nanos();

        for (int i = 0; i < 20; i++) {
            cluster.answer(cluster.request("r" + i, "n1", "default"));
        }

        eventually(() -> blocks("default").used().equals("20"));
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
                        Meta.finalizers(pool("default").metadata()).contains(Names.FINALIZER)
                                && status("default").blocks() != null);
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

    private AddressPool pool(String name) {
        return cluster.api.get(Kinds.POOLS, null, name).orElseThrow();
    }

    private AddressPool.Status status(String pool) {
        return Objects.requireNonNull(pool(pool).status());
    }

    private AddressPool.Count blocks(String pool) {
        return Objects.requireNonNull(status(pool).blocks());
    }

    private AddressPool.Count addresses(String pool) {
        return Objects.requireNonNull(status(pool).addresses());
    }

    private V1Condition condition(String pool, String type) {
        return Optional.ofNullable(status(pool).conditions()).orElseThrow().stream()
                .filter(c -> c.getType().equals(type))
                .findFirst()
                .orElseThrow();
    }

    private String message(String pool, String type) {
        return condition(pool, type).getMessage();
    }
}
