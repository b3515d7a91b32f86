package io.coil.sandbox.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.Scope;
import io.coil.core.net.Cidr;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.RunItem;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.List;

/** Blocks that nobody asked for, nobody uses, or nobody uses yet. */
@OnBothServers
@ExtendWith(SharedSandbox.class)
class BlocksIT implements OnServer {
    private final Servers on;
    private static final String AGENT = "system:serviceaccount:kube-system:coil-agent";

    BlocksIT(Servers on) {
        this.on = on;
    }

    @Override
    public Servers on() {
        return on;
    }

    @Test
    @DisplayName("B1b: a second block is adopted, shown, and returned by itself")
    void b1b(Operator operator) {
        operator.createPool("test-pool", 0, "10.0.0.0/30");
        operator.createNamespace("test-ns", "test-pool");
        operator.createPod("test-ns", "p1", Operator.NODE);
        operator.awaitReady("test-ns", "p1");
        String used = name(operator.blocksOf("test-pool").getFirst());
        int other = used.equals("test-pool-3") ? 2 : 3;

        operator.createBlock("test-pool", other, "10.0.0.%d/32".formatted(other), Operator.NODE);

        operator.soon(
                () ->
                        assertThat(operator.blocksOf("test-pool"))
                                .singleElement()
                                .satisfies(b -> assertThat(name(b)).isEqualTo(used)));
        operator.assertInvariants();
    }

    @Test
    @DisplayName(
            "B1b, collection manual: it stays until a run names it, by kubectl, REST, or click")
    void b1bManual(Operator operator) throws Exception {
        operator.createPool("test-pool", 0, "10.0.0.0/30");
        operator.annotateNode(Operator.NODE, "manual");
        Dashboard dashboard = Dashboard.signedIn(operator.sandbox());

        List<Way> ways = List.of(BlocksIT::byKubectl, BlocksIT::byRest, BlocksIT::byClick);
        for (int i = 0; i < ways.size(); i++) {
            String block = "test-pool-" + i;
            String range = "10.0.0.%d/32".formatted(i);
            operator.createBlock("test-pool", i, range, Operator.NODE);
            operator.soon(
                    () -> assertThat(dashboard.get("/blocks/" + block)).contains(Operator.NODE));
            operator.soon(
                    () -> assertThat(operator.exported(Operator.NODE)).contains(Cidr.parse(range)));
            // Several periodic rounds, none of which may touch it.
            await().during(Duration.ofSeconds(3))
                    .atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(operator.blocksOf("test-pool")).hasSize(1));

            GarbageCollection run = ways.get(i).collect(operator, dashboard);

            assertThat(Operator.items(run))
                    .singleElement()
                    .satisfies(
                            item -> {
                                assertThat(item.rule()).isEqualTo("surplus-block");
                                assertThat(item.name()).isEqualTo(block);
                                assertThat(item.evidence()).isNotBlank();
                                assertThat(item.outcome()).isEqualTo(RunItem.DONE);
                            });
            operator.soon(() -> assertThat(operator.blocksOf("test-pool")).isEmpty());
        }
        operator.assertInvariants();
    }

    /** One of the ways to ask for the same. */
    @FunctionalInterface
    private interface Way {
        GarbageCollection collect(Operator operator, Dashboard dashboard) throws Exception;
    }

    private static GarbageCollection byKubectl(Operator operator, Dashboard dashboard) {
        return operator.collect(
                "by-kubectl-" + System.nanoTime(),
                new GarbageCollection.Spec(
                        List.of(Operator.NODE), null, null, false, null, "test"));
    }

    private static GarbageCollection byRest(Operator operator, Dashboard dashboard)
            throws Exception {
        String body =
                "{\"nodes\":[\"%s\"],\"dryRun\":false,\"reason\":\"test\"}"
                        .formatted(Operator.NODE);
        return operator.awaitFinished(dashboard.startByRest(body));
    }

    private static GarbageCollection byClick(Operator operator, Dashboard dashboard)
            throws Exception {
        return operator.awaitFinished(dashboard.startByForm(Operator.NODE));
    }

    @Test
    @DisplayName("B1c: a collection between grant and first use does not take the block")
    void b1c(Operator operator) {
        operator.createPool("test-pool", 0, "10.0.0.0/30");
        operator.createNamespace("test-ns", "test-pool");
        // The agent reads the granted block late: in between it is granted and not yet used.
        operator.sandbox()
                .server()
                .faults()
                .add(
                        Scope.any().ofUser(AGENT).onVerbs("get").onResource("addressblocks"),
                        Effect.latency(Duration.ofSeconds(2)));
        operator.createPod("test-ns", "p1", Operator.NODE);
        operator.soon(() -> assertThat(operator.blocksOf("test-pool")).hasSize(1));
        AddressBlock granted = operator.blocksOf("test-pool").getFirst();

        operator.collect(
                "between-" + System.nanoTime(),
                new GarbageCollection.Spec(
                        List.of(Operator.NODE), null, null, false, null, "test"));

        operator.sandbox().server().faults().clear();
        operator.awaitReady("test-ns", "p1");
        assertThat(operator.blocksOf("test-pool"))
                .singleElement()
                .satisfies(
                        b ->
                                assertThat(Meta.uid(b.metadata()))
                                        .isEqualTo(Meta.uid(granted.metadata())));
        operator.assertInvariants();
    }

    @Test
    @DisplayName("B3: what a node held before it went off is returned though no ADD names its pool")
    void b3(Operator operator) {
        operator.createPool("test-pool", 0, "10.0.0.0/30");
        operator.createPool("wide", 1, "10.1.0.0/29");
        // Blocks of a node that is not there yet: it held them when it went off.
        String node = "coil-b3-" + System.nanoTime();
        operator.createNode(node);
        operator.createBlock("test-pool", 0, "10.0.0.0/32", node);
        operator.createBlock("wide", 0, "10.1.0.0/31", node);

        operator.awaitNode(node);

        operator.soon(() -> assertThat(operator.blocksOn(node)).isEmpty());
        operator.deleteNode(node);
        operator.assertInvariants();
    }

    private static String name(AddressBlock block) {
        return Meta.name(block.metadata());
    }
}
