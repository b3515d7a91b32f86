package io.coil.sandbox.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.core.net.Address;
import io.coil.core.net.Cidr;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.Meta;
import io.coil.sandbox.cluster.Pods;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** The sandbox as a process of its own: killed, started again, and refused when it must be. */
@Execution(ExecutionMode.CONCURRENT) // its sandboxes are processes of their own
class KillIT {
    private static final int PODS = 50;
    private static final Duration START = Duration.ofMinutes(2);

    @TempDir private Path directory;
    private @Nullable Process process;

    @AfterEach
    void end() throws InterruptedException {
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    @DisplayName("kill -9 in the middle of 50 pods starting: no address twice, nothing leaked")
    void killedInTheMiddle() throws Exception {
        startSandbox();
        try (ClientKubeApi api = connect()) {
            for (int i = 0; i < PODS; i++) {
                api.create(Kinds.PODS, pod("pod-" + i));
            }
            await().atMost(START).until(() -> ready(api).size() >= PODS / 3);
        }
        Objects.requireNonNull(process).destroyForcibly().waitFor();

        startSandbox();

        try (ClientKubeApi api = connect()) {
            await().atMost(START)
                    .untilAsserted(
                            () -> {
                                assertThat(ready(api)).hasSize(PODS);
                                assertThat(blocks(api)).hasSize(PODS);
                            });
            assertThat(ready(api).stream().map(p -> p.getStatus().getPodIP()))
                    .doesNotHaveDuplicates();
            assertThat(ready(api)).allSatisfy(p -> assertThat(holder(api, p)).isNotNull());

            for (V1Pod pod : ready(api)) {
                api.delete(Kinds.PODS, "default", Meta.name(pod.getMetadata()), Preconditions.NONE);
            }
            await().atMost(START).untilAsserted(() -> assertThat(blocks(api)).isEmpty());
            assertThat(api.list(Kinds.REQUESTS, Selection.ALL).items()).isEmpty();
        }
    }

    @Test
    void aSecondOneOnTheSameDirectoryIsRefusedInOneLineAndTheFirstEndsCleanly() throws Exception {
        startSandbox();

        Process second = fork("second.log");

        assertThat(second.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(second.exitValue()).isEqualTo(1);
        assertThat(Files.readAllLines(directory.resolve("second.log")).getLast())
                .contains("another sandbox")
                .contains("--state-dir");
        try (ClientKubeApi api = connect()) {
            assertThat(api.get(Kinds.NAMESPACES, null, "default")).isPresent();
        }

        Process running = Objects.requireNonNull(process);
        running.destroy();

        assertThat(running.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(directory.resolve("out.log")))
                .contains("Stopped")
                .doesNotContain("Exception")
                .doesNotContain("\tat ");
    }

    private void startSandbox() throws IOException {
        process = fork("out.log");
        await().atMost(START)
                .until(
                        () ->
                                Files.readString(directory.resolve("out.log"))
                                        .contains("Coil is ready"));
    }

    private Process fork(String log) throws IOException {
        return new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.coil.sandbox.Coil",
                        "sandbox",
                        "--no-demo",
                        "--nodes=2",
                        "--api-port=0",
                        "--admin-port=0",
                        "--state-dir=" + directory.resolve("state"))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(log).toFile())
                .start();
    }

    private ClientKubeApi connect() {
        return ClientKubeApi.create(
                ClientSettings.kubeconfig(
                        directory.resolve("state").resolve("kubeconfig"), "test"));
    }

    private static List<V1Pod> ready(KubeApi api) {
        return api.list(Kinds.PODS, new Selection("default", null, null)).items().stream()
                .filter(Pods::ready)
                .toList();
    }

    private static List<AddressBlock> blocks(KubeApi api) {
        return api.list(Kinds.BLOCKS, Selection.ALL).items();
    }

    /** The block of the pod's node that the pod's address lies in. */
    private static @Nullable AddressBlock holder(KubeApi api, V1Pod pod) throws ApiFailure {
        Address address = Address.parse(pod.getStatus().getPodIP());
        return blocks(api).stream()
                .filter(b -> pod.getSpec().getNodeName().equals(b.node()))
                .filter(b -> Cidr.parse(Objects.requireNonNull(b.ipv4())).contains(address))
                .findFirst()
                .orElse(null);
    }

    private static V1Pod pod(String name) {
        return new V1Pod()
                .apiVersion("v1")
                .kind("Pod")
                .metadata(new V1ObjectMeta().namespace("default").name(name))
                .spec(
                        new V1PodSpec()
                                .addContainersItem(new V1Container().name("pause").image("pause")));
    }
}
