package io.coil.sandbox.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.sandbox.Sandbox;
import io.coil.sandbox.SandboxSettings;
import io.coil.sandbox.check.Invariants;
import io.coil.sandbox.cluster.CniEntry;
import io.coil.sandbox.cluster.CniReply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** With the waits that people have: the story as a user types it, and a pool of one address. */
@EnabledIf("io.coil.sandbox.system.Kubectl#installed")
@Execution(ExecutionMode.CONCURRENT) // mostly it waits, as the story does; its sandbox is its own
class KubectlStoryIT {
    private static final Duration WITHOUT_CONTROLLER = Duration.ofSeconds(60);

    @TempDir private static Path directory;
    private static Sandbox sandbox;
    private static Kubectl kubectl;

    @BeforeAll
    static void start() throws Exception {
        sandbox = SharedSandbox.start(SandboxSettings.quiet(3).withStateDir(directory));
        kubectl = new Kubectl(directory.resolve("kubeconfig"));
    }

    @AfterAll
    static void stop() {
        sandbox.close();
    }

    @Test
    void theStoryWithTheRealWaits() throws Exception {
        kubectl.apply(
                """
                apiVersion: coil.cybozu.com/v2
                kind: AddressPool
                metadata: {name: test-pool}
                spec: {blockSizeBits: 0, subnets: [{ipv4: 10.0.0.0/30}]}
                ---
                apiVersion: v1
                kind: Namespace
                metadata: {name: test-ns, annotations: {coil.cybozu.com/pool: test-pool}}
                """);
        kubectl.run(
                "patch",
                "deployment",
                "-n",
                "kube-system",
                "coil-controller",
                "-p",
                "{\"spec\":{\"replicas\":0}}");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(controllers()).isEmpty());
        kubectl.apply(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: test-pod, namespace: test-ns}
                spec: {containers: [{name: pause, image: pause, command: ["pause"]}]}
                """);

        await().pollDelay(WITHOUT_CONTROLLER)
                .atMost(WITHOUT_CONTROLLER.plusSeconds(10))
                .untilAsserted(() -> assertThat(blocks("test-pool")).isEmpty());
        kubectl.run(
                "patch",
                "deployment",
                "-n",
                "kube-system",
                "coil-controller",
                "-p",
                "{\"spec\":{\"replicas\":2}}");

        kubectl.run(
                "wait", "-n", "test-ns", "pod/test-pod", "--for=condition=Ready", "--timeout=30s");
        assertThat(kubectl.run("get", "pod", "-n", "test-ns", "-o", "wide").output())
                .contains("Running")
                .containsPattern("10\\.0\\.0\\.[0-3]");
        Kubectl.Outcome seen = kubectl.run("get", "addresspool,addressblock");
        assertThat(seen.output()).containsPattern("NODE +POOL +IPV4 +IPV6");
        assertThat(blocks("test-pool")).hasSize(1);

        kubectl.run("delete", "pod", "-n", "test-ns", "test-pod");
        await().atMost(Duration.ofSeconds(2))
                .untilAsserted(() -> assertThat(blocks("test-pool")).isEmpty());
        long begun = System.nanoTime();
        kubectl.run("delete", "addresspool", "test-pool");
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
        assertThat(kubectl.attempt("", "get", "addresspool", "test-pool").output())
                .contains("not found");
        assertInvariants();
    }

    @Test
    void twoHundredQuickRoundsOnAPoolOfOneAddress() throws Exception {
        kubectl.apply(
                """
                apiVersion: coil.cybozu.com/v2
                kind: AddressPool
                metadata: {name: one}
                spec: {blockSizeBits: 0, subnets: [{ipv4: 10.0.1.0/32}]}
                ---
                apiVersion: v1
                kind: Namespace
                metadata: {name: one, annotations: {coil.cybozu.com/pool: one}}
                """);
        CniEntry plugin = sandbox.plugin(Operator.NODE);
        for (int round = 0; round < 200; round++) {
            CniReply added = plugin.call(Calls.add("one", "round-" + round));
            assertThat(added).as("round %d", round).matches(CniReply::ok);
            assertThat(added.addresses()).isEqualTo(List.of("10.0.1.0"));
            assertThat(plugin.call(Calls.del("one", "round-" + round))).matches(CniReply::ok);
        }

        kubectl.run("delete", "namespace", "one");
        kubectl.run("delete", "addresspool", "one");
        assertInvariants();
    }

    @Test
    void whatIsWrongIsSaidAndChangesNothing() throws Exception {
        assertThat(refused("bits", "blockSizeBits: 3, subnets: [{ipv4: 10.7.0.0/30}]"))
                .contains("blockSizeBits");
        assertThat(refused("twice", "subnets: [{ipv4: 10.7.0.0/24}, {ipv4: 10.7.0.0/25}]"))
                .contains("10.7.0.0/25");
        assertThat(refused("broken", "subnets: [{ipv4: 10.7.0.300/24}]")).contains("10.7.0.300");
        assertThat(refused("meets", "blockSizeBits: 0, subnets: [{ipv4: 10.244.0.128/25}]"))
                .contains("default");
        assertThat(
                        kubectl.attempt(
                                        "",
                                        "annotate",
                                        "addresspool",
                                        "default",
                                        "ops.coil.io/collection=sometimes")
                                .output())
                .contains("sometimes");
        assertThat(
                        kubectl.attempt(
                                        """
                                        apiVersion: ops.coil.io/v1alpha1
                                        kind: GarbageCollection
                                        metadata: {name: nowhere}
                                        spec: {nodes: [no-such-node], dryRun: true}
                                        """,
                                        "create",
                                        "-f",
                                        "-")
                                .output())
                .contains("no-such-node");
        assertThat(kubectl.run("get", "garbagecollections").output()).contains("No resources");
        assertThat(kubectl.run("get", "addresspools", "-o", "name").lines())
                .containsExactly("addresspool.coil.cybozu.com/default");
    }

    private static String refused(String name, String spec) throws Exception {
        Kubectl.Outcome outcome =
                kubectl.attempt(
                        """
                        apiVersion: coil.cybozu.com/v2
                        kind: AddressPool
                        metadata: {name: %s}
                        spec: {%s}
                        """
                                .formatted(name, spec),
                        "apply",
                        "-f",
                        "-");
        assertThat(outcome.exitCode()).isNotZero();
        return outcome.output();
    }

    private static List<String> controllers() throws Exception {
        return kubectl.run(
                        "get",
                        "pod",
                        "-n",
                        "kube-system",
                        "-l",
                        "app.kubernetes.io/component=coil-controller",
                        "-o",
                        "name")
                .lines();
    }

    private static List<String> blocks(String pool) throws Exception {
        return kubectl.run(
                        "get", "addressblock", "-l", "coil.cybozu.com/pool=" + pool, "-o", "name")
                .lines();
    }

    private static void assertInvariants() {
        await().atMost(30, TimeUnit.SECONDS)
                .untilAsserted(
                        () ->
                                assertThat(Invariants.violationsWhenQuiet(sandbox.world()))
                                        .isEmpty());
    }
}
