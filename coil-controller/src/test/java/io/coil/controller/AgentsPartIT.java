package io.coil.controller;

import static io.coil.controller.Cluster.eventually;
import static io.coil.controller.Cluster.within;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.NodeBlockUsage;
import io.coil.kubernetes.resource.RunItem;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * What agents have to say in a collection on demand, and what becomes of it when they say nothing.
 */
@OnBothServers
class AgentsPartIT {
    private static final GarbageCollection.Spec ALL =
            new GarbageCollection.Spec(null, null, null, null, null, "a test");
    private static final GarbageCollection.Spec DRY =
            new GarbageCollection.Spec(null, null, null, true, null, "a test");

    private final Servers on;
    private Cluster cluster;

    AgentsPartIT(Servers on) {
        this.on = on;
    }

    @BeforeEach
    void start() {
        cluster = new Cluster(on);
        cluster.pool("default", Map.of(Names.COLLECTION, "manual"), 1, "10.1.0.0/24");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void theAgentsPartsAreGatheredAndTheRunIsClosedWhenAllHaveAnswered() {
        cluster.leader("controller.run-deadline", "30s", "controller.node-grace", "1h");
        cluster.node("n1");
        cluster.node("n2");
        usage("n1", null);
        usage("n2", null);

        GarbageCollection run = cluster.run("all", ALL);
        eventually(() -> status(run).phase() != null);
        assertThat(status(run).expected()).containsExactly("n1", "n2");
        assertThat(status(run).unanswered()).containsExactly("n1", "n2");
        answer("n1", run, 2, 700);
        eventually(() -> List.of("n2").equals(status(run).unanswered()));
        assertThat(status(run).found()).isEqualTo(702);
        answer("n2", run, 1, 0);

        within(Duration.ofSeconds(2), () -> cluster.finished("all") != null);
        GarbageCollection.Status end = status("all");
        assertThat(end.found()).isEqualTo(703);
        assertThat(end.done()).isEqualTo(3);
        assertThat(end.items()).hasSize(3);
        assertThat(end.rest()).isEqualTo(700);
        assertThat(end.unanswered()).isNullOrEmpty();
    }

    @Test
    void aRunIsClosedAtItsDeadlineAndNamesTheSilentNodes() {
        cluster.leader("controller.run-deadline", "1s");
        cluster.node("n1");
        usage("n1", null);

        cluster.run("all", ALL);

        GarbageCollection.Status status = status("all");
        assertThat(status.phase()).isEqualTo(GarbageCollection.Status.COMPLETED);
        assertThat(status.message())
                .isEqualTo("1 of 1 nodes have not answered; collection is manual for pool default");
        assertThat(status.unanswered()).containsExactly("n1");
        RunItem item = onlyItem("all");
        assertThat(item.rule()).isEqualTo("silent-agent");
        assertThat(item.outcome()).isEqualTo(RunItem.REPORTED);
    }

    @Test
    void aRunAboutABlockThatWasJustMadeExpectsItsNode() {
        cluster.leader("controller.run-deadline", "30s");
        cluster.node("n1");
        cluster.node("n2");
        usage("n2", null);
        cluster.block("default", 0, "n1", "10.1.0.0/31");

        GarbageCollection run =
                cluster.run(
                        "one",
                        new GarbageCollection.Spec(
                                null, null, List.of("default-0"), null, null, null));

        eventually(() -> status(run).phase() != null);
        assertThat(status(run).expected()).containsExactly("n1");
    }

    @Test
    void aReadyNodeWithoutAReadyAgentIsReported() {
        cluster.leader("controller.run-deadline", "1s", "controller.silent-after", "500ms");
        cluster.node("n1");
        usage("n1", null);
        afterTheGrace();

        cluster.run("look", DRY);

        RunItem item = onlyItem("look");
        assertThat(item.rule()).isEqualTo("silent-agent");
        assertThat(item.name()).isEqualTo("n1");
        assertThat(item.evidence()).isEqualTo("its agent has no Ready pod");
        assertThat(status("look").found()).isEqualTo(1);
    }

    @Test
    void aRunIsTakenOverByTheNextLeader() throws InterruptedException {
        Controller first = cluster.leader("controller.run-deadline", "30s");
        cluster.node("n1");
        usage("n1", null);
        GarbageCollection run = cluster.run("all", ALL);
        eventually(() -> status(run).phase() != null);
        first.stop();

        cluster.leader("controller.run-deadline", "30s");
        answer("n1", run, 1, 0);

        assertThat(status("all").done()).isEqualTo(1);
    }

    /** Long enough for the controller to have taken its first looks. */
    private static void afterTheGrace() {
        await().pollDelay(Duration.ofMillis(900)).until(() -> true);
    }

    private GarbageCollection.Status status(String run) {
        return Objects.requireNonNull(cluster.finished(run).status());
    }

    private GarbageCollection.Status status(GarbageCollection run) {
        return Objects.requireNonNull(
                cluster.api
                        .get(Kinds.COLLECTIONS, null, Meta.name(run.metadata()))
                        .orElseThrow()
                        .status());
    }

    private List<RunItem> items(String run) {
        return Objects.requireNonNullElse(status(run).items(), List.of());
    }

    private RunItem onlyItem(String run) {
        assertThat(items(run)).hasSize(1);
        return items(run).getFirst();
    }

    private void usage(String node, @Nullable List<NodeBlockUsage.Run> runs) {
        cluster.api.create(Kinds.USAGES, report(new V1ObjectMeta().name(node), runs));
    }

    private static NodeBlockUsage report(
            V1ObjectMeta meta, @Nullable List<NodeBlockUsage.Run> runs) {
        return new NodeBlockUsage(
                Names.OPS_API,
                "NodeBlockUsage",
                meta,
                new NodeBlockUsage.Report(
                        "test", OffsetDateTime.now(ZoneOffset.UTC), null, "on", List.of()),
                runs);
    }

    private void answer(String node, GarbageCollection run, int done, long rest) {
        List<RunItem> items =
                IntStream.range(0, done)
                        .mapToObj(
                                i ->
                                        new RunItem(
                                                "surplus-block",
                                                "Block",
                                                "default-" + i,
                                                null,
                                                "default-" + i,
                                                "default",
                                                node,
                                                "empty",
                                                1,
                                                RunItem.DONE,
                                                null))
                        .toList();
        NodeBlockUsage.Run part =
                new NodeBlockUsage.Run(
                        Meta.name(run.metadata()),
                        Meta.uid(run.metadata()),
                        NodeBlockUsage.Run.FINISHED,
                        done + rest,
                        done,
                        0,
                        items,
                        rest);
        NodeBlockUsage read = cluster.api.get(Kinds.USAGES, null, node).orElseThrow();
        cluster.api.replace(Kinds.USAGES, report(read.metadata(), List.of(part)));
    }
}
