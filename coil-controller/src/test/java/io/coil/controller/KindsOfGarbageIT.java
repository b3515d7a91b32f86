package io.coil.controller;

import static io.coil.controller.Cluster.eventually;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.RunItem;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/** C13, the controller's part: each kind of garbage, alone, is found, and nothing else. */
class KindsOfGarbageIT {
    private Cluster cluster;
    private int looks;

    @BeforeEach
    void start() {
        // else Kubernetes' own collector, too, would take a request whose owner is not there
        cluster = new Cluster(b -> b.garbageCollection(false));
        cluster.pool("default", 1, "10.1.0.0/24");
        cluster.node("n1");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** Nothing is collected by itself, so that looks find it; a healthy cluster has nothing. */
    private void lead() {
        cluster.leader(
                "collection",
                "manual",
                "controller.node-grace",
                "200ms",
                "controller.silent-after",
                "200ms",
                "controller.stray-age",
                "1s",
                "controller.run-deadline",
                "1s");
        assertThat(look()).isEmpty();
    }

    @Test
    @DisplayName("C13: node gone")
    void c13NodeGone() {
        cluster.block("default", 0, "n2", "10.1.0.0/31");
        cluster.node("n2");
        lead();

        cluster.deleteNode("n2");

        found("orphan-block default-0 Planned");
    }

    @Test
    @DisplayName("C13: pool gone")
    void c13PoolGone() {
        cluster.block("default", 0, "n1", "10.1.0.0/31");
        lead();

        cluster.block("other", 0, "n1", "10.2.0.0/31");

        found("out-of-pool other-0 Reported");
    }

    @Test
    @DisplayName("C13: request of a Node that was made anew")
    void c13RequestOfAnotherNode() {
        lead();
        BlockRequest open = cluster.request("n1", "nowhere");
        cluster.answer(open);
        cluster.api.patch(
                Kinds.REQUESTS,
                null,
                "req-nowhere-n1",
                Preconditions.NONE,
                "{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"Node\","
                        + "\"name\":\"n1\",\"uid\":\"11111111-2222-3333-4444-555555555555\"}]}}");

        found("stray-request req-nowhere-n1 Planned");
    }

    @Test
    @DisplayName("C13: request that failed and that nobody fetches; so too a complete one")
    void c13UnfetchedRequest() {
        lead();
        cluster.answer(cluster.request("failed", "n1", "nowhere"));
        found("stray-request failed Planned");
        cluster.api.delete(Kinds.REQUESTS, null, "failed", Preconditions.NONE);

        cluster.answer(cluster.request("complete", "n1", "default"));

        found("stray-request complete Planned");
    }

    @Test
    @DisplayName("C13: two blocks on the same addresses")
    void c13Overlap() {
        cluster.pool("other", 0, "10.1.0.0/30");
        lead();
        cluster.block("default", 0, "n1", "10.1.0.0/31");
        cluster.block("other", 0, "n1", "10.1.0.0/32");

        found("overlap default-0 Reported", "overlap other-0 Reported");
    }

    @Test
    @DisplayName("C13: a block on a dead node; a silent agent; a block without a node")
    void c13WhatIsReportedOfNodes() {
        cluster.node("n2");
        cluster.block("default", 0, "n2", "10.1.0.0/31");
        lead();
        cluster.ready("n2", false);
        found("dead-node-block default-0 Reported");
        cluster.ready("n2", true);
        Reports.write(cluster, "n1", Map.of());
        found("silent-agent n1 Reported");
        cluster.api.delete(Kinds.USAGES, null, "n1", Preconditions.NONE);

        cluster.block("default", 1, null, "10.1.0.2/31");

        found("orphan-block default-1 Reported");
    }

    private void found(String... items) {
        eventually(
                () -> {
                    List<String> now = look();
                    return now.size() == items.length && now.containsAll(List.of(items));
                });
    }

    private List<String> look() {
        String name = "look-" + looks++;
        cluster.run(name, new GarbageCollection.Spec(null, null, null, true, null, null));
        GarbageCollection.Status status = Objects.requireNonNull(cluster.finished(name).status());
        return Objects.requireNonNullElse(status.items(), List.<RunItem>of()).stream()
                // no agents run here, so none answers
                .filter(i -> !"its agent did not answer the run".equals(i.evidence()))
                .filter(i -> !i.outcome().equals(RunItem.KEPT))
                .map(i -> i.rule() + " " + i.name() + " " + i.outcome())
                .toList();
    }
}
