package io.coil.admin.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.apiserver.ApiServer;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.time.VirtualThreads;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Many pods, of each of which a few words are kept while it is there. */
@Isolated("the heap is everybody's")
class HeapIT {
    private static final long MIB = 1 << 20;
    private static final int PODS = 1_000;

    @Test
    @DisplayName("G1: 1,000 pods churned 10 times: the heap stays flat, no pod is kept whole")
    void g1TheHeapStaysFlatWhilePodsComeAndGo() throws Exception {
        try (ApiServer server =
                ApiServer.builder().crds(List.of(Path.of("../helm/coil/crds"))).build().start()) {
            PodCrowd pods = new PodCrowd(server);
            pods.create("big", 200, "10.1", 50_000); // 10 MB, of which a few words each matter
            try (ClientKubeApi api = client(server)) {
                AddressPool _ = api.create(Kinds.POOLS, pool());
                SnapshotKeeper keeper =
                        new SnapshotKeeper(api, new VirtualThreads(), Rules.DEFAULT, Map::of);
                long without = heap();
                keeper.start();
                awaitPods(keeper, 200);
                assertThat(heap() - without).as("pods are not kept whole").isLessThan(5 * MIB);
                // Until the server, which is in this process, remembers as many changes as it
                // ever does: 10,000.
                churn(pods, keeper, 6);
                long begun = heap();

                churn(pods, keeper, 10);

                assertThat(heap() - begun).as("growth of the heap").isLessThan(4 * MIB);
                keeper.stop();
            }
        }
    }

    private static ClientKubeApi client(ApiServer server) {
        return ClientKubeApi.create(
                ClientSettings.direct(
                        server.url(),
                        server.adminToken(),
                        new String(server.caCertificate(), StandardCharsets.US_ASCII),
                        "coil-admin"));
    }

    private static AddressPool pool() {
        return new AddressPool(
                Names.COIL_API,
                "AddressPool",
                new V1ObjectMeta().name("default"),
                new AddressPool.Spec(5, List.of(new AddressPool.Subnet("10.0.0.0/8", null))),
                null);
    }

    private static void churn(PodCrowd pods, SnapshotKeeper keeper, int times) {
        for (int i = 0; i < times; i++) {
            pods.create("web", PODS, "10.2", 500);
            awaitPods(keeper, 200 + PODS);
            pods.delete("web", PODS);
            awaitPods(keeper, 200);
        }
    }

    private static void awaitPods(SnapshotKeeper keeper, int count) {
        await().atMost(Duration.ofSeconds(20))
                .ignoreExceptions()
                .until(() -> keeper.current().orElseThrow().snapshot().pods().size() == count);
    }

    /** Bytes that are in use, of everything in this process. */
    private static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
