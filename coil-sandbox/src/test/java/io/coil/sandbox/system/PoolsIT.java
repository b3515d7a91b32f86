package io.coil.sandbox.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.sandbox.cluster.CniEntry;
import io.coil.sandbox.cluster.CniReply;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Pools that go, and pools that are not there. */
@OnBothServers
@ExtendWith(SharedSandbox.class)
class PoolsIT implements OnServer {
    private final Servers on;
    private static final Duration AT_ONCE = Duration.ofSeconds(5);

    @TempDir private Path directory;

    PoolsIT(Servers on) {
        this.on = on;
    }

    @Override
    public Servers on() {
        return on;
    }

    @ParameterizedTest(name = "D2: a used pool is deleted, {0}")
    @ValueSource(strings = {"background", "foreground", "orphan"})
    void d2(String cascade, Operator operator) throws Exception {
        operator.createPool("test-pool", 0, "10.0.0.0/30");
        operator.createNamespace("test-ns", "test-pool");
        operator.createPod("test-ns", "p1", Operator.NODE);
        String address = operator.awaitReady("test-ns", "p1").getStatus().getPodIP();
        Path kubeconfig = directory.resolve("kubeconfig");
        Files.writeString(kubeconfig, operator.sandbox().server().adminKubeconfig());

        new Kubectl(kubeconfig)
                .run("delete", "addresspool", "test-pool", "--wait=false", "--cascade=" + cascade);

        operator.soon(
                () ->
                        assertThat(String.valueOf(operator.pool("test-pool").status()))
                                .contains(Operator.NODE));
        assertThat(operator.isReady("test-ns", "p1")).isTrue();
        assertThat(operator.pod("test-ns", "p1").getStatus().getPodIP()).isEqualTo(address);
        operator.deletePod("test-ns", "p1");
        operator.awaitPoolGone("test-pool", AT_ONCE);
        operator.assertInvariants();
    }

    @Test
    @DisplayName("D3: a pool that is being deleted gives no address, though its block has room")
    void d3(Operator operator) {
        operator.createPool("test-pool", 1, "10.1.0.0/29");
        operator.createNamespace("test-ns", "test-pool");
        operator.createPod("test-ns", "p1", Operator.NODE);
        operator.awaitReady("test-ns", "p1");
        operator.deletePool("test-pool");

        operator.createPod("test-ns", "p2", Operator.NODE);

        operator.soon(
                () ->
                        assertThat(operator.eventsOf("test-ns", "p2"))
                                .anySatisfy(
                                        e ->
                                                assertThat(e.getMessage())
                                                        .contains("test-pool")
                                                        .contains("being deleted")));
        assertThat(operator.isReady("test-ns", "p2")).isFalse();
        assertThat(operator.blocksOf("test-pool")).hasSize(1);
        operator.deletePod("test-ns", "p2");
        operator.deletePod("test-ns", "p1");
        operator.awaitPoolGone("test-pool", AT_ONCE);
        operator.assertInvariants();
    }

    @Test
    @DisplayName("D3: a request in the moment of the deletion leads to no block")
    void d3Race(Operator operator) {
        for (int round = 0; round < 5; round++) {
            String pool = "going-" + round;
            operator.createPool(pool, 0, "10.2.%d.0/30".formatted(round));
            operator.createNamespace(pool, pool);
            operator.createPod(pool, "p1", Operator.NODE);
            operator.deletePool(pool);

            operator.deletePod(pool, "p1");

            operator.awaitPoolGone(pool, AT_ONCE);
            assertThat(operator.blocksOf(pool)).isEmpty();
        }
        operator.assertInvariants();
    }

    @Test
    @DisplayName("D13: a pool that does not exist: refused at once, said, and no request")
    void d13(Operator operator) throws Exception {
        operator.createNamespace("test-ns", "no-such-pool");
        CniEntry plugin = operator.sandbox().plugin(Operator.NODE);
        long begun = System.nanoTime();

        CniReply reply = plugin.call(Calls.add("test-ns", "direct"));

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(1));
        assertThat(reply.ok()).isFalse();
        assertThat(reply.message()).contains("no-such-pool");
        operator.createPod("test-ns", "p1", Operator.NODE);
        operator.soon(
                () ->
                        assertThat(operator.eventsOf("test-ns", "p1"))
                                .anySatisfy(
                                        e -> assertThat(e.getMessage()).contains("no-such-pool")));
        assertThat(operator.requestsOf("no-such-pool")).isZero();

        operator.createPool("no-such-pool", 0, "10.0.0.0/30");

        operator.awaitReady("test-ns", "p1");
        operator.deletePod("test-ns", "p1");
        operator.assertInvariants();
    }
}
