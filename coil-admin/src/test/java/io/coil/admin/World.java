package io.coil.admin;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.NodeBlockUsage;
import io.coil.kubernetes.resource.RunItem;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeCondition;
import io.kubernetes.client.openapi.models.V1NodeSpec;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodIP;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/** Objects of a cluster, made by hand: what controller and agents would have written. */
final class World {
    private final KubeApi api;

    World(KubeApi api) {
        this.api = api;
    }

    void node(String name) {
        api.create(
                Kinds.NODES,
                new V1Node()
                        .apiVersion("v1")
                        .kind("Node")
                        .metadata(new V1ObjectMeta().name(name))
                        .spec(new V1NodeSpec()));
    }

    AddressPool pool(String name, int bits, String ipv4) {
        return api.create(
                Kinds.POOLS,
                new AddressPool(
                        Names.COIL_API,
                        "AddressPool",
                        new V1ObjectMeta().name(name),
                        new AddressPool.Spec(bits, List.of(new AddressPool.Subnet(ipv4, null))),
                        null));
    }

    AddressBlock block(String pool, int index, String node, String ipv4) {
        return api.create(
                Kinds.BLOCKS,
                new AddressBlock(
                        Names.COIL_API,
                        "AddressBlock",
                        new V1ObjectMeta()
                                .name(pool + "-" + index)
                                .labels(Map.of(Names.POOL, pool, Names.NODE, node)),
                        index,
                        ipv4,
                        null));
    }

    /** A pod in the namespace default that shows an address. */
    void pod(String name, String node, String address) {
        api.create(
                Kinds.PODS,
                new V1Pod()
                        .apiVersion("v1")
                        .kind("Pod")
                        .metadata(new V1ObjectMeta().namespace("default").name(name))
                        .spec(
                                new V1PodSpec()
                                        .nodeName(node)
                                        .addContainersItem(
                                                new V1Container().name("c").image("i"))));
        V1Pod there = api.get(Kinds.PODS, "default", name).orElseThrow();
        there.setStatus(
                new V1PodStatus()
                        .phase("Running")
                        .podIP(address)
                        .addPodIPsItem(new V1PodIP().ip(address)));
        api.replaceStatus(Kinds.PODS, there);
    }

    /** The pod has done its work: its node's agent has taken its address back. */
    void finish(String pod) {
        V1Pod there = api.get(Kinds.PODS, "default", pod).orElseThrow();
        there.setStatus(new V1PodStatus().phase("Succeeded"));
        api.replaceStatus(Kinds.PODS, there);
    }

    /** Its kubelet has been silent for so long. */
    void notReady(String name, Duration since) {
        V1Node node = api.get(Kinds.NODES, null, name).orElseThrow();
        api.replaceStatus(
                Kinds.NODES,
                node.status(
                        new V1NodeStatus()
                                .addConditionsItem(
                                        new V1NodeCondition()
                                                .type("Ready")
                                                .status("Unknown")
                                                .lastTransitionTime(
                                                        OffsetDateTime.now(ZoneOffset.UTC)
                                                                .minus(since)))));
    }

    /**
     * The node's agent says that of this block {@code used} addresses are in use, from the first.
     */
    void report(
            String node,
            AddressBlock block,
            String capacity,
            int used,
            @Nullable OffsetDateTime empty) {
        String bitmap = "%02x".formatted((1 << used) - 1);
        api.create(
                Kinds.USAGES,
                new NodeBlockUsage(
                        Names.OPS_API,
                        "NodeBlockUsage",
                        new V1ObjectMeta().name(node),
                        new NodeBlockUsage.Report(
                                "1.0.0",
                                OffsetDateTime.now(ZoneOffset.UTC),
                                OffsetDateTime.now(ZoneOffset.UTC),
                                "on",
                                List.of(
                                        new NodeBlockUsage.Block(
                                                block.metadata().getName(),
                                                block.metadata().getUid(),
                                                String.valueOf(block.pool()),
                                                capacity,
                                                used,
                                                bitmap,
                                                used == 0 ? empty : null,
                                                "serving"))),
                        List.of()));
    }

    /** What the controller says of a finished dry run. */
    void finishPlan(String name, RunItem... items) {
        GarbageCollection run = api.get(Kinds.COLLECTIONS, null, name).orElseThrow();
        OffsetDateTime now = OffsetDateTime.now(ZoneOffset.UTC);
        api.replaceStatus(
                Kinds.COLLECTIONS,
                new GarbageCollection(
                        run.apiVersion(),
                        run.kind(),
                        run.metadata(),
                        run.spec(),
                        new GarbageCollection.Status(
                                GarbageCollection.Status.COMPLETED,
                                null,
                                items.length,
                                0,
                                0,
                                0,
                                List.of(items),
                                0,
                                List.of("n1"),
                                List.of(),
                                now.minusSeconds(2),
                                now)));
    }
}
