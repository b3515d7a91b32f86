package io.coil.agent;

import static org.awaitility.Awaitility.await;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.RunItem;
import io.kubernetes.client.openapi.models.CoreV1Event;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeAddress;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodIP;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** What people and kubelets make of the API's objects, in the words of the tests. */
abstract class ApiObjects {
    static final String NODE = "n1";

    final KubeApi api;
    private final AtomicInteger plans = new AtomicInteger();

    ApiObjects(KubeApi api) {
        this.api = api;
    }

    V1Node node(String name, String address) {
        V1Node made =
                api.create(
                        Kinds.NODES,
                        new V1Node()
                                .apiVersion("v1")
                                .kind("Node")
                                .metadata(new V1ObjectMeta().name(name)));
        made.setStatus(
                new V1NodeStatus()
                        .addAddressesItem(new V1NodeAddress().type("InternalIP").address(address)));
        return api.replaceStatus(Kinds.NODES, made);
    }

    void namespace(String name, @Nullable String pool) {
        if (api.get(Kinds.NAMESPACES, null, name).isPresent()) {
            return;
        }
        api.create(
                Kinds.NAMESPACES,
                new V1Namespace()
                        .apiVersion("v1")
                        .kind("Namespace")
                        .metadata(
                                new V1ObjectMeta()
                                        .name(name)
                                        .annotations(
                                                pool == null
                                                        ? null
                                                        : Map.of(Names.NAMESPACE_POOL, pool))));
    }

    AddressPool pool(String name, int bits, String ipv4, Map<String, String> annotations) {
        return pool(name, bits, new AddressPool.Subnet(ipv4, null), annotations);
    }

    AddressPool pool(
            String name, int bits, AddressPool.Subnet subnet, Map<String, String> annotations) {
        return api.create(
                Kinds.POOLS,
                new AddressPool(
                        Names.COIL_API,
                        "AddressPool",
                        new V1ObjectMeta().name(name).annotations(annotations),
                        new AddressPool.Spec(bits, List.of(subnet)),
                        null));
    }

    /** Pool P2 of the scenarios. */
    AddressPool p2() {
        return pool("default", 1, "10.1.0.0/29", Map.of());
    }

    /** Pool P6 of the scenarios; namespace dual uses it. */
    AddressPool p6() {
        namespace("dual", "dual");
        return pool("dual", 1, new AddressPool.Subnet("10.6.0.0/29", "fd06::/125"), Map.of());
    }

    void annotatePool(String name, String annotation, String value) {
        api.patch(Kinds.POOLS, null, name, Preconditions.NONE, annotations(annotation, value));
    }

    void annotateBlock(String name, String annotation, String value) {
        api.patch(Kinds.BLOCKS, null, name, Preconditions.NONE, annotations(annotation, value));
    }

    void annotateNode(String name, String annotation, String value) {
        api.patch(Kinds.NODES, null, name, Preconditions.NONE, annotations(annotation, value));
    }

    private static String annotations(String annotation, String value) {
        return "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}".formatted(annotation, value);
    }

    List<AddressBlock> blocks() {
        return api.list(Kinds.BLOCKS, Selection.ALL).items();
    }

    List<String> blockNames() {
        return blocks().stream().map(b -> Meta.name(b.metadata())).sorted().toList();
    }

    List<CoreV1Event> eventsAbout(String name) {
        return api.list(Kinds.EVENTS, new Selection(null, null, "involvedObject.name=" + name))
                .items();
    }

    /** A pod as its status shows it; whatever that says, it is no evidence. */
    void pod(String name, String phase, String... ips) {
        V1Pod made =
                api.create(
                        Kinds.PODS,
                        new V1Pod()
                                .apiVersion("v1")
                                .kind("Pod")
                                .metadata(
                                        new V1ObjectMeta()
                                                .namespace("default")
                                                .name(name)
                                                .addFinalizersItem("test/stays"))
                                .spec(
                                        new V1PodSpec()
                                                .nodeName(NODE)
                                                .addContainersItem(
                                                        new V1Container()
                                                                .name("main")
                                                                .image("main"))));
        V1PodStatus status = new V1PodStatus().phase(phase);
        if (ips.length > 0) {
            status.setPodIP(ips[0]);
            status.setPodIPs(Arrays.stream(ips).map(ip -> new V1PodIP().ip(ip)).toList());
        }
        made.setStatus(status);
        api.replaceStatus(Kinds.PODS, made);
    }

    /** A block of n1's that somebody made by hand. */
    void block(String pool, int index, String ipv4, String ipv6) {
        AddressBlock _ =
                api.create(
                        Kinds.BLOCKS,
                        new AddressBlock(
                                Names.COIL_API,
                                "AddressBlock",
                                new V1ObjectMeta()
                                        .name(pool + "-" + index)
                                        .putLabelsItem(Names.POOL, pool)
                                        .putLabelsItem(Names.NODE, NODE),
                                index,
                                ipv4,
                                ipv6));
    }

    /** A run that its controller has opened for these nodes. */
    GarbageCollection run(String name, boolean dryRun, String... nodes) {
        GarbageCollection made =
                api.create(
                        Kinds.COLLECTIONS,
                        new GarbageCollection(
                                Names.OPS_API,
                                "GarbageCollection",
                                new V1ObjectMeta().name(name),
                                new GarbageCollection.Spec(
                                        List.of(nodes), null, null, dryRun, null, null),
                                null));
        return api.replaceStatus(
                Kinds.COLLECTIONS,
                new GarbageCollection(
                        made.apiVersion(),
                        made.kind(),
                        made.metadata(),
                        made.spec(),
                        new GarbageCollection.Status(
                                GarbageCollection.Status.RUNNING,
                                null,
                                0,
                                0,
                                0,
                                0,
                                null,
                                0,
                                List.of(nodes),
                                null,
                                null,
                                null)));
    }

    /** That node's part in a run, when it is done. */
    List<RunItem> part(String node, GarbageCollection run) {
        String uid = Meta.uid(run.metadata());
        return await().atMost(Duration.ofSeconds(10))
                .ignoreExceptions()
                .until(
                        () ->
                                Objects.requireNonNull(
                                                api.get(Kinds.USAGES, null, node)
                                                        .orElseThrow()
                                                        .runs())
                                        .stream()
                                        .filter(r -> r.uid().equals(uid))
                                        .findFirst()
                                        .orElseThrow()
                                        .items(),
                        Objects::nonNull);
    }

    /** What that node's agent would collect now, and what it reports. */
    List<RunItem> plan(String node) {
        return part(node, run("plan-" + plans.incrementAndGet(), true, node));
    }
}
