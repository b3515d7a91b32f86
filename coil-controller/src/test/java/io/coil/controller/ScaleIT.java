package io.coil.controller;

import static io.coil.controller.Cluster.eventually;
import static io.coil.controller.Cluster.within;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressPool;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Many pods, which are no business of the controller's. */
@Isolated("the heap is everybody's")
class ScaleIT {
    private static final long MIB = 1 << 20;

    /** Nodes whose pods go, of a hundred. */
    private static final int CHANGING = 10;

    private Cluster cluster;

    @BeforeEach
    void start() {
        cluster = new Cluster();
        cluster.pool("default", 1, "10.1.0.0/24");
        cluster.pool("other", 1, "10.2.0.0/24");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    @DisplayName(
            "G1: pods churned 10 times, 30,000 in all: the heap stays flat, no pod is kept whole")
    void g1TheHeapStaysFlatWhilePodsComeAndGo() {
        Masses pods = new Masses(cluster.server);
        pods.createAgents(200, 50_000); // 10 MB, of which three words each matter
        List<Selection> asked = Collections.synchronizedList(new ArrayList<>());
        long without = heap();
        Controller controller =
                cluster.controller(
                        "c1",
                        podSelections(asked),
                        "controller.lease-duration",
                        "15s",
                        "controller.lease-renew-deadline",
                        "10s");
        eventually(() -> controller.isGranting() && controller.view().agents().size() == 200);
        long with = heap();
        assertThat(with - without).as("agents' pods are not kept whole").isLessThan(5 * MIB);
        churn(pods, 3); // until the server remembers as many changes as it ever does
        long begun = heap();

        churn(pods, 7);

        assertThat(heap() - begun).as("growth of the heap").isLessThan(4 * MIB);
        assertThat(controller.view().agents()).hasSize(200);
        assertThat(asked)
                .isNotEmpty()
                .allSatisfy(s -> assertThat(s.toString()).contains("component=coil-agent"));
    }

    private static void churn(Masses pods, int times) {
        for (int i = 0; i < times; i++) {
            pods.createPods(3_000);
            pods.deletePods(3_000);
        }
    }

    /** What the controller selects of the pods, whenever it lists or watches them. */
    private KubeApi podSelections(List<Selection> asked) {
        KubeApi api = cluster.client("c1");
        return (KubeApi)
                Proxy.newProxyInstance(
                        KubeApi.class.getClassLoader(),
                        new Class<?>[] {KubeApi.class},
                        (proxy, method, arguments) -> {
                            if (Kinds.PODS.equals(arguments[0])) {
                                asked.add((Selection) arguments[1]);
                            }
                            try {
                                return method.invoke(api, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    /** Bytes that are in use, of everything in this process. */
    private static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Test
    @DisplayName(
            "G2: 1,000 pod deletions in 10 s: at most 2 evaluations, each of what changed; no status is"
                    + " written that did not, and no call is about a pod")
    void g2AThousandDeletionsAreTwoLooks() {
        MeterRegistry meters = new SimpleMeterRegistry();
        Controller controller =
                cluster.controller(
                        "c1",
                        cluster.client("c1"),
                        meters,
                        "controller.pool-status-interval",
                        "5s");
        eventually(controller::isGranting);
        Masses pods = new Masses(cluster.server);
        pods.createPods(1_000);
        for (int n = 0; n < 100; n++) {
            cluster.node("n" + n);
            cluster.block("default", n, "n" + n, "10.1.0." + 2 * n + "/31");
        }
        for (int n = 0; n < CHANGING; n++) {
            Reports.write(cluster, "n" + n, Map.of("default-" + n, 2L));
        }
        within(Duration.ofSeconds(20), () -> used("default") == 2 * CHANGING);
        String other = cluster.api.get(Kinds.POOLS, null, "other").orElseThrow().toString();
        cluster.server.requests().reset();
        double looks = count(meters, "coil.controller.pool.looks");
        double blocks = count(meters, "coil.controller.pool.looks.blocks");
        long begun = System.nanoTime();

        pods.deletePods(1_000);
        for (long left = 1; left >= 0; left--) {
            for (int n = 0; n < CHANGING; n++) {
                Reports.write(cluster, "n" + n, Map.of("default-" + n, left));
            }
        }
        within(Duration.ofSeconds(20), () -> used("default") == 0);

        // two in ten seconds, of which an interval is half: as many as intervals began, and one
        double most = 2 + Math.floor(Duration.ofNanos(System.nanoTime() - begun).toSeconds() / 5.0);
        looks = count(meters, "coil.controller.pool.looks") - looks;
        blocks = count(meters, "coil.controller.pool.looks.blocks") - blocks;
        assertThat(looks).as("evaluations").isBetween(1.0, most);
        assertThat(blocks)
                .as("blocks looked at, of 100 that there are")
                .isBetween((double) CHANGING, looks * CHANGING);
        assertThat(statusWrites()).isBetween(1L, (long) looks);
        assertThat(cluster.api.get(Kinds.POOLS, null, "other").orElseThrow().toString())
                .isEqualTo(other);
        assertThat(
                        cluster.server
                                .requests()
                                .sum(k -> k.resource().equals("pods") && !k.verb().equals("watch")))
                .as("calls about pods")
                .isZero();
    }

    private static double count(MeterRegistry meters, String name) {
        return meters.get(name).counter().count();
    }

    private long used(String pool) {
        AddressPool.Status status = cluster.api.get(Kinds.POOLS, null, pool).orElseThrow().status();
        AddressPool.Count addresses = status == null ? null : status.addresses();
        return addresses == null ? -1 : Long.parseLong(String.valueOf(addresses.used()));
    }

    private long statusWrites() {
        return cluster.server.requests().sum(k -> k.write() && k.resource().equals("addresspools"));
    }
}
