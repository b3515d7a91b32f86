package io.coil.sandbox.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.RunItem;
import io.coil.sandbox.cluster.Pods;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Faults that people reported, on the whole system; named after their numbers. */
class ScenariosIT {
    private static final String NODE = "coil-worker";
    private static Stage stage;

    @BeforeAll
    static void start() throws Exception {
        stage = new Stage(2);
    }

    @AfterAll
    static void stop() {
        stage.close();
    }

    @Test
    void b1aAControllerThatWasAwayGrantsOneBlockWhateverTheAddsDid() {
        stage.pool("b1a", 0, "10.20.0.0/30");
        stage.namespace("b1a", "b1a");
        stage.controllers(0);
        stage.startPod("b1a", "p1", NODE);
        await("several ADDs have timed out")
                .atMost(Stage.SOON)
                .until(
                        () ->
                                stage
                                                .api
                                                .list(
                                                        Kinds.EVENTS,
                                                        new Selection("b1a", null, null))
                                                .items()
                                                .stream()
                                                .filter(e -> "NoAddress".equals(e.getReason()))
                                                .mapToInt(
                                                        e ->
                                                                e.getCount() == null
                                                                        ? 1
                                                                        : e.getCount())
                                                .sum()
                                        >= 4);

        stage.controllers(2);

        assertThat(stage.awaitRunning("b1a", "p1")).startsWith("10.20.0.");
        stage.assertInvariants();
        assertThat(stage.blocks("b1a")).hasSize(1);
        stage.deletePod("b1a", "p1");
        await().atMost(Duration.ofSeconds(2)).until(() -> stage.blocks("b1a").isEmpty());
        stage.remove("b1a", "b1a");
    }

    @Test
    void b1bASecondBlockIsReturnedByItselfOrByTheRunThatNamesItWhereCollectionIsManual() {
        AddressPool pool = stage.pool("b1b", 0, "10.21.0.0/30");
        stage.namespace("b1b", "b1b");
        stage.startPod("b1b", "p1", NODE);
        stage.awaitRunning("b1b", "p1");
        assertThat(stage.blockNames("b1b")).containsExactly("b1b-0");

        stage.blockByHand(pool, 1, NODE, "10.21.0.1/32");
        await().atMost(Duration.ofSeconds(5))
                .until(() -> stage.blockNames("b1b").equals(List.of("b1b-0")));

        stage.annotate("node", NODE, Names.COLLECTION, "manual");
        await("the agent knows of the mode")
                .atMost(Stage.SOON)
                .until(
                        () ->
                                stage.report(NODE)
                                        .filter(r -> "manual".equals(r.collection()))
                                        .isPresent());
        stage.blockByHand(pool, 2, NODE, "10.21.0.2/32");
        await("it is adopted and shown")
                .atMost(Stage.SOON)
                .until(() -> stage.reported(NODE, "b1b").contains("b1b-2"));
        GarbageCollection all =
                stage.collect(
                        "b1b-all", new GarbageCollection.Spec(null, null, null, null, null, "all"));
        assertThat(Stage.items(all))
                .filteredOn(i -> i.name().equals("b1b-2"))
                .singleElement()
                .satisfies(
                        i -> {
                            assertThat(i.outcome()).isEqualTo(RunItem.KEPT);
                            assertThat(i.message()).contains("manual");
                        });
        assertThat(stage.blockNames("b1b")).containsExactly("b1b-0", "b1b-2");

        GarbageCollection named =
                stage.collect(
                        "b1b-named",
                        new GarbageCollection.Spec(List.of(NODE), null, null, null, null, "named"));

        assertThat(Stage.items(named))
                .filteredOn(i -> i.name().equals("b1b-2"))
                .singleElement()
                .satisfies(
                        i -> {
                            assertThat(i.rule()).isEqualTo("surplus-block");
                            assertThat(i.evidence()).contains("empty for").contains("linger");
                            assertThat(i.outcome()).isEqualTo(RunItem.DONE);
                        });
        assertThat(stage.blockNames("b1b")).containsExactly("b1b-0");
        stage.annotate("node", NODE, Names.COLLECTION, null);
        stage.remove("b1b", "b1b");
    }

    @Test
    void b1cACollectionBetweenGrantAndFirstUseLeavesTheBlockAlone() {
        stage.pool("b1c", 0, "10.22.0.0/30");
        stage.namespace("b1c", "b1c");
        for (int round = 0; round < 5; round++) {
            stage.startPod("b1c", "p" + round, NODE);
            stage.api.create(
                    Kinds.COLLECTIONS,
                    new GarbageCollection(
                            Names.OPS_API,
                            "GarbageCollection",
                            new V1ObjectMeta().name("b1c-" + round),
                            new GarbageCollection.Spec(
                                    List.of(NODE), null, null, null, null, "race"),
                            null));
            stage.awaitRunning("b1c", "p" + round);
            GarbageCollection run = stage.awaitFinished("b1c-" + round);
            assertThat(Stage.items(run))
                    .noneMatch(i -> "b1c".equals(i.pool()) && i.outcome().equals(RunItem.DONE));
            stage.deletePod("b1c", "p" + round);
        }
        stage.remove("b1c", "b1c");
    }

    @Test
    void b3ANodeThatComesUpWithBlocksAndNoPodsGivesThemBack() throws Exception {
        AddressPool one = stage.pool("b3-one", 0, "10.23.0.0/30");
        AddressPool two = stage.pool("b3-two", 1, "10.23.1.0/29");
        // made while nobody looks: the agent of the node is not there
        stage.blockByHand(one, 0, NODE, "10.23.0.0/32");
        stage.blockByHand(two, 0, NODE, "10.23.1.0/31");
        stage.kernel(NODE).reboot();
        restartAgent(NODE);

        await().atMost(Stage.SOON)
                .until(() -> stage.blocks("b3-one").isEmpty() && stage.blocks("b3-two").isEmpty());
        stage.assertInvariants();
        for (String pool : List.of("b3-one", "b3-two")) {
            stage.api.delete(Kinds.POOLS, null, pool, Preconditions.NONE);
        }
    }

    private static void restartAgent(String node) {
        var agents =
                stage.api
                        .list(
                                Kinds.PODS,
                                new Selection(
                                        "kube-system",
                                        "app.kubernetes.io/component=coil-agent",
                                        "spec.nodeName=" + node))
                        .items();
        assertThat(agents).hasSize(1);
        String name = Meta.name(agents.getFirst().getMetadata());
        stage.api.delete(Kinds.PODS, "kube-system", name, Preconditions.NONE);
        await("another agent serves " + node)
                .atMost(Stage.SOON)
                .until(
                        () ->
                                stage
                                        .api
                                        .list(
                                                Kinds.PODS,
                                                new Selection(
                                                        "kube-system",
                                                        "app.kubernetes.io/component=coil-agent",
                                                        "spec.nodeName=" + node))
                                        .items()
                                        .stream()
                                        .anyMatch(
                                                p ->
                                                        !name.equals(Meta.name(p.getMetadata()))
                                                                && Pods.ready(p)));
    }

    @Test
    void d2AUsedPoolStaysUntilItsLastPodGoesAndSaysWhoHoldsIt() {
        stage.pool("d2", 0, "10.24.0.0/30");
        stage.namespace("d2", "d2");
        stage.startPod("d2", "p1", NODE);
        stage.awaitRunning("d2", "p1");

        stage.api.delete(Kinds.POOLS, null, "d2", Preconditions.NONE);

        await("its status says who holds it")
                .atMost(Stage.SOON)
                .ignoreExceptions()
                .untilAsserted(
                        () ->
                                assertThat(
                                                Objects.requireNonNull(
                                                                stage.api
                                                                        .get(
                                                                                Kinds.POOLS,
                                                                                null,
                                                                                "d2")
                                                                        .orElseThrow()
                                                                        .status())
                                                        .conditions())
                                        .anySatisfy(
                                                c -> {
                                                    assertThat(c.getType()).isEqualTo("Deleting");
                                                    assertThat(c.getMessage()).contains(NODE);
                                                }));
        stage.startPod("d2", "p2", NODE);
        await("a new pod is told why")
                .atMost(Stage.SOON)
                .until(
                        () ->
                                stage
                                        .api
                                        .list(Kinds.EVENTS, new Selection("d2", null, null))
                                        .items()
                                        .stream()
                                        .anyMatch(
                                                e ->
                                                        "p2".equals(e.getInvolvedObject().getName())
                                                                && String.valueOf(e.getMessage())
                                                                        .contains(
                                                                                "being deleted")));
        assertThat(stage.pod("d2", "p1").orElseThrow().getStatus().getPhase()).isEqualTo("Running");
        stage.deletePod("d2", "p2");
        stage.deletePod("d2", "p1");
        await().atMost(Duration.ofSeconds(3))
                .until(() -> stage.api.get(Kinds.POOLS, null, "d2").isEmpty());
        stage.assertInvariants();
    }

    @Test
    void f2ANodeDeletedByMistakeKeepsItsBlocksWhenItComesBackWithinTheGrace() throws Exception {
        stage.pool("f2", 0, "10.25.0.0/30");
        stage.namespace("f2", "f2");
        stage.startPod("f2", "p1", "coil-worker2");
        String address = stage.awaitRunning("f2", "p1");
        String block = Meta.uid(stage.blocks("f2").getFirst().metadata());
        V1Node node = stage.api.get(Kinds.NODES, null, "coil-worker2").orElseThrow();

        stage.api.delete(Kinds.NODES, null, "coil-worker2", Preconditions.NONE);
        Thread.sleep(500); // shorter than the grace of 2 s: that is the scenario
        comeBack(node);

        await().during(Duration.ofSeconds(4))
                .atMost(Duration.ofSeconds(10))
                .until(
                        () ->
                                stage.blocks("f2").stream()
                                        .anyMatch(b -> Meta.uid(b.metadata()).equals(block)));
        assertThat(
                        stage.kernel("coil-worker2").links().stream()
                                .flatMap(l -> l.addresses().stream())
                                .map(Object::toString))
                .contains(address);
    }

    /** The same machine registers anew: another UID under its name. */
    private static void comeBack(V1Node before) {
        if (stage.api.get(Kinds.NODES, null, Meta.name(before.getMetadata())).isPresent()) {
            return; // its kubelet was faster
        }
        V1Node again =
                stage.api.create(
                        Kinds.NODES,
                        new V1Node()
                                .apiVersion("v1")
                                .kind("Node")
                                .metadata(
                                        new V1ObjectMeta()
                                                .name(Meta.name(before.getMetadata()))
                                                .labels(before.getMetadata().getLabels())));
        again.setStatus(before.getStatus());
        stage.api.replaceStatus(Kinds.NODES, again);
    }

    @Test
    void h1UsageIsTheSameInResourcesMetricsAndRest() throws Exception {
        stage.pool("h1", 1, "10.26.0.0/29");
        stage.namespace("h1", "h1");
        stage.startPod("h1", "p1", NODE);
        stage.awaitRunning("h1", "p1");

        await("resources")
                .atMost(Stage.SOON)
                .ignoreExceptions()
                .untilAsserted(
                        () -> {
                            AddressPool.Status status =
                                    Objects.requireNonNull(
                                            stage.api
                                                    .get(Kinds.POOLS, null, "h1")
                                                    .orElseThrow()
                                                    .status());
                            assertThat(count(status.blocks()).total()).isEqualTo("4");
                            assertThat(count(status.blocks()).used()).isEqualTo("1");
                            assertThat(count(status.addresses()).total()).isEqualTo("8");
                            assertThat(count(status.addresses()).used()).isEqualTo("1");
                        });
        await("REST")
                .atMost(Stage.SOON)
                .untilAsserted(
                        () ->
                                assertThat(stage.get("/api/v1/pools/h1").body())
                                        .contains("\"blocks\"")
                                        .containsPattern("\"total\":\"?4\"?[,}]")
                                        .containsPattern("\"total\":\"?8\"?[,}]"));
        await("metrics")
                .atMost(Stage.SOON)
                .untilAsserted(
                        () -> {
                            String metrics = stage.metrics();
                            assertThat(metrics).contains("pool=\"h1\"");
                            assertThat(metrics).doesNotContain("p1\"");
                        });
        stage.remove("h1", "h1");
        await("a deleted pool's series go")
                .atMost(Stage.SOON)
                .untilAsserted(() -> assertThat(stage.metrics()).doesNotContain("pool=\"h1\""));
    }

    @Test
    void h3ADryRunOverRestChangesNothingAndItsPlanDoesWhatIsStillTrue() throws Exception {
        AddressPool pool = stage.pool("h3", 0, "10.27.0.0/30");
        stage.annotate("pool", "h3", Names.COLLECTION, "manual");
        await().pollDelay(Duration.ofMillis(500)).until(() -> true);
        stage.blockByHand(pool, 0, NODE, "10.27.0.0/32");
        stage.blockByHand(pool, 1, NODE, "10.27.0.1/32");
        await("both are adopted")
                .atMost(Stage.SOON)
                .until(() -> stage.reported(NODE, "h3").equals(List.of("h3-0", "h3-1")));

        var answer =
                stage.post(
                        "/api/v1/collections",
                        "{\"pools\":[\"h3\"],\"dryRun\":true,\"reason\":\"h3\"}");

        assertThat(answer.statusCode()).isEqualTo(202);
        String location = answer.headers().firstValue("Location").orElseThrow();
        String plan = location.substring(location.lastIndexOf('/') + 1);
        GarbageCollection planned = stage.awaitFinished(plan);
        assertThat(Stage.items(planned))
                .extracting(RunItem::name, RunItem::rule, RunItem::outcome)
                .containsExactlyInAnyOrder(
                        tuple("h3-0", "surplus-block", "Planned"),
                        tuple("h3-1", "surplus-block", "Planned"));
        assertThat(stage.blockNames("h3")).containsExactly("h3-0", "h3-1");

        stage.namespace("h3", "h3");
        stage.startPod("h3", "p1", NODE);
        String used = stage.awaitRunning("h3", "p1");
        GarbageCollection applied =
                stage.collect(
                        "h3-apply",
                        new GarbageCollection.Spec(null, null, null, null, plan, "apply"));

        assertThat(Stage.items(applied)).hasSize(2);
        assertThat(Stage.items(applied))
                .filteredOn(i -> i.outcome().equals(RunItem.DONE))
                .singleElement()
                .satisfies(i -> assertThat(i.name()).isNotEqualTo(blockOf(used)));
        assertThat(Stage.items(applied))
                .filteredOn(i -> i.outcome().equals(RunItem.NO_LONGER_TRUE))
                .singleElement()
                .satisfies(i -> assertThat(i.name()).isEqualTo(blockOf(used)));
        assertThat(stage.blockNames("h3")).containsExactly(blockOf(used));
        stage.annotate("pool", "h3", Names.COLLECTION, null);
        stage.remove("h3", "h3");
    }

    private static AddressPool.Count count(AddressPool.@Nullable Count count) {
        return Objects.requireNonNull(count);
    }

    private static String blockOf(String address) {
        return "h3-" + address.substring(address.lastIndexOf('.') + 1);
    }
}
