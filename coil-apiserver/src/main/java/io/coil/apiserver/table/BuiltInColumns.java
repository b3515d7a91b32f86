package io.coil.apiserver.table;

import static io.coil.apiserver.table.TableColumn.age;
import static io.coil.apiserver.table.TableColumn.count;
import static io.coil.apiserver.table.TableColumn.objectName;
import static io.coil.apiserver.table.TableColumn.text;
import static io.coil.apiserver.table.TableColumn.wide;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The columns of the built-in types, as kubectl's users know them. */
final class BuiltInColumns {
    private static final String NONE = "<none>";

    private static final Map<String, List<TableColumn>> COLUMNS =
            Map.ofEntries(
                    Map.entry(
                            "/pods",
                            List.of(
                                    objectName(),
                                    text("Ready", PodCells::ready),
                                    text("Status", PodCells::status),
                                    text("Restarts", PodCells::restarts),
                                    age(),
                                    wide("IP", pod -> at(pod, "/status/podIP")),
                                    wide("Node", pod -> at(pod, "/spec/nodeName")),
                                    wide(
                                            "Nominated Node",
                                            pod -> at(pod, "/status/nominatedNodeName")),
                                    wide("Readiness Gates", PodCells::readinessGates))),
                    Map.entry(
                            "/nodes",
                            List.of(
                                    objectName(),
                                    text("Status", NodeCells::status),
                                    text("Roles", NodeCells::roles),
                                    age(),
                                    text(
                                            "Version",
                                            node -> at(node, "/status/nodeInfo/kubeletVersion")),
                                    wide(
                                            "Internal-IP",
                                            node -> NodeCells.address(node, "InternalIP")),
                                    wide(
                                            "External-IP",
                                            node -> NodeCells.address(node, "ExternalIP")),
                                    wide("OS-Image", node -> at(node, "/status/nodeInfo/osImage")),
                                    wide(
                                            "Kernel-Version",
                                            node -> at(node, "/status/nodeInfo/kernelVersion")),
                                    wide(
                                            "Container-Runtime",
                                            node ->
                                                    at(
                                                            node,
                                                            "/status/nodeInfo/containerRuntimeVersion")))),
                    Map.entry(
                            "/namespaces",
                            List.of(
                                    objectName(),
                                    text("Status", ns -> at(ns, "/status/phase")),
                                    age())),
                    Map.entry(
                            "/services",
                            List.of(
                                    objectName(),
                                    text("Type", service -> at(service, "/spec/type")),
                                    text("Cluster-IP", service -> at(service, "/spec/clusterIP")),
                                    text("External-IP", service -> NONE),
                                    text("Port(s)", BuiltInColumns::ports),
                                    age(),
                                    wide(
                                            "Selector",
                                            service -> labels(service.at("/spec/selector"))))),
                    Map.entry(
                            "/secrets",
                            List.of(
                                    objectName(),
                                    text("Type", secret -> at(secret, "/type")),
                                    size("Data", "/data"),
                                    age())),
                    Map.entry("/configmaps", List.of(objectName(), size("Data", "/data"), age())),
                    Map.entry(
                            "/serviceaccounts",
                            List.of(objectName(), size("Secrets", "/secrets"), age())),
                    Map.entry("/events", EventColumns.ALL),
                    Map.entry("events.k8s.io/events", EventColumns.ALL),
                    Map.entry(
                            "apps/deployments",
                            List.of(
                                    objectName(),
                                    text(
                                            "Ready",
                                            d ->
                                                    number(d, "/status/readyReplicas")
                                                            + "/"
                                                            + number(d, "/spec/replicas")),
                                    count("Up-to-date", "/status/updatedReplicas"),
                                    count("Available", "/status/availableReplicas"),
                                    age(),
                                    wide("Containers", d -> containers(d, "name")),
                                    wide("Images", d -> containers(d, "image")),
                                    wide("Selector", BuiltInColumns::selector))),
                    Map.entry(
                            "apps/replicasets",
                            List.of(
                                    objectName(),
                                    count("Desired", "/spec/replicas"),
                                    count("Current", "/status/replicas"),
                                    count("Ready", "/status/readyReplicas"),
                                    age(),
                                    wide("Containers", r -> containers(r, "name")),
                                    wide("Images", r -> containers(r, "image")),
                                    wide("Selector", BuiltInColumns::selector))),
                    Map.entry(
                            "apps/daemonsets",
                            List.of(
                                    objectName(),
                                    count("Desired", "/status/desiredNumberScheduled"),
                                    count("Current", "/status/currentNumberScheduled"),
                                    count("Ready", "/status/numberReady"),
                                    count("Up-to-date", "/status/updatedNumberScheduled"),
                                    count("Available", "/status/numberAvailable"),
                                    text(
                                            "Node Selector",
                                            d -> labels(d.at("/spec/template/spec/nodeSelector"))),
                                    age(),
                                    wide("Containers", d -> containers(d, "name")),
                                    wide("Images", d -> containers(d, "image")),
                                    wide("Selector", BuiltInColumns::selector))),
                    Map.entry(
                            "coordination.k8s.io/leases",
                            List.of(
                                    objectName(),
                                    text("Holder", lease -> plain(lease, "/spec/holderIdentity")),
                                    age())),
                    Map.entry(
                            "apiextensions.k8s.io/customresourcedefinitions",
                            List.of(
                                    objectName(),
                                    text(
                                            "Created At",
                                            crd -> plain(crd, "/metadata/creationTimestamp")))),
                    Map.entry(
                            "rbac.authorization.k8s.io/clusterroles",
                            List.of(
                                    objectName(),
                                    text(
                                            "Created At",
                                            role -> plain(role, "/metadata/creationTimestamp")))),
                    Map.entry(
                            "rbac.authorization.k8s.io/roles",
                            List.of(
                                    objectName(),
                                    text(
                                            "Created At",
                                            role -> plain(role, "/metadata/creationTimestamp")))),
                    Map.entry("rbac.authorization.k8s.io/clusterrolebindings", bindings()),
                    Map.entry("rbac.authorization.k8s.io/rolebindings", bindings()),
                    Map.entry(
                            "admissionregistration.k8s.io/mutatingwebhookconfigurations",
                            List.of(objectName(), size("Webhooks", "/webhooks"), age())),
                    Map.entry(
                            "admissionregistration.k8s.io/validatingwebhookconfigurations",
                            List.of(objectName(), size("Webhooks", "/webhooks"), age())));

    private BuiltInColumns() {}

    /** Empty: nothing special is known of this type. */
    static List<TableColumn> of(String group, String plural) {
        return COLUMNS.getOrDefault(group + "/" + plural, List.of());
    }

    private static List<TableColumn> bindings() {
        return List.of(
                objectName(),
                text("Role", b -> plain(b, "/roleRef/kind") + "/" + plain(b, "/roleRef/name")),
                age(),
                wide("Users", b -> subjects(b, "User")),
                wide("Groups", b -> subjects(b, "Group")),
                wide("ServiceAccounts", b -> subjects(b, "ServiceAccount")));
    }

    private static TableColumn size(String name, String pointer) {
        return text(name, object -> Integer.toString(object.at(pointer).size()));
    }

    private static String at(JsonNode object, String pointer) {
        String text = plain(object, pointer);
        return text.isEmpty() ? NONE : text;
    }

    private static String plain(JsonNode object, String pointer) {
        return object.at(pointer).asString("");
    }

    private static int number(JsonNode object, String pointer) {
        return object.at(pointer).asInt(0);
    }

    private static String ports(JsonNode service) {
        String ports =
                service.at("/spec/ports")
                        .valueStream()
                        .map(
                                port ->
                                        port.path("port").asString("")
                                                + (port.has("nodePort")
                                                        ? ":" + port.path("nodePort").asString("")
                                                        : "")
                                                + "/"
                                                + port.path("protocol").asString("TCP"))
                        .collect(Collectors.joining(","));
        return ports.isEmpty() ? NONE : ports;
    }

    private static String containers(JsonNode owner, String field) {
        return owner.at("/spec/template/spec/containers")
                .valueStream()
                .map(container -> container.path(field).asString(""))
                .collect(Collectors.joining(","));
    }

    private static String selector(JsonNode owner) {
        return labels(owner.at("/spec/selector/matchLabels"));
    }

    private static String labels(JsonNode labels) {
        String text =
                labels.propertyStream()
                        .map(label -> label.getKey() + "=" + label.getValue().asString(""))
                        .sorted()
                        .collect(Collectors.joining(","));
        return text.isEmpty() ? NONE : text;
    }

    private static String subjects(JsonNode binding, String kind) {
        return binding.path("subjects")
                .valueStream()
                .filter(subject -> subject.path("kind").asString("").equals(kind))
                .map(
                        subject ->
                                subject.hasNonNull("namespace")
                                        ? plain(subject, "/namespace")
                                                + "/"
                                                + plain(subject, "/name")
                                        : plain(subject, "/name"))
                .collect(Collectors.joining(", "));
    }
}
