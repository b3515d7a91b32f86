package io.coil.sandbox.cluster;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeAddress;
import io.kubernetes.client.openapi.models.V1NodeCondition;
import io.kubernetes.client.openapi.models.V1NodeSpec;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1NodeSystemInfo;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Taint;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What a kubelet tells the API of its machine: the Node, its addresses, and that it lives. */
public final class NodeRegistration {
    private static final String LEASES = "kube-node-lease";
    private static final String CONTROL_PLANE = "node-role.kubernetes.io/control-plane";

    private final KubeApi api;
    private final Timeline timeline;
    private final Machine machine;
    private final Duration heartbeat;

    public NodeRegistration(KubeApi api, Timeline timeline, Machine machine, Duration heartbeat) {
        this.api = api;
        this.timeline = timeline;
        this.machine = machine;
        this.heartbeat = heartbeat;
    }

    /** Makes the Node unless it is there, and sets its status. */
    public void register(boolean controlPlane) {
        V1Node node = api.get(Kinds.NODES, null, machine.name()).orElse(null);
        if (node == null) {
            node = api.create(Kinds.NODES, node(controlPlane));
        }
        V1NodeStatus status = status(node);
        if (!status.equals(node.getStatus())) {
            api.replaceStatus(Kinds.NODES, node.status(status));
        }
    }

    /** Renews the lease, and sees that the Node, if it exists, says what the machine is. */
    Timeline.Running start() {
        return Rounds.start(
                timeline, "heartbeat " + machine.name(), timeline.signal(), heartbeat, this::beat);
    }

    private void beat() {
        V1Node node = api.get(Kinds.NODES, null, machine.name()).orElse(null);
        // A kubelet does not make its Node again: somebody deleted it, and may have meant it.
        if (node != null && !Scheduler.isReady(node)) {
            api.replaceStatus(Kinds.NODES, node.status(status(node)));
        }
        renewLease();
    }

    private void renewLease() {
        OffsetDateTime now = timeline.now().atOffset(ZoneOffset.UTC).truncatedTo(ChronoUnit.MICROS);
        V1Lease lease = api.get(Kinds.LEASES, LEASES, machine.name()).orElse(null);
        try {
            if (lease == null) {
                api.create(
                        Kinds.LEASES,
                        new V1Lease()
                                .apiVersion("coordination.k8s.io/v1")
                                .kind("Lease")
                                .metadata(new V1ObjectMeta().namespace(LEASES).name(machine.name()))
                                .spec(
                                        new V1LeaseSpec()
                                                .holderIdentity(machine.name())
                                                .leaseDurationSeconds(40)
                                                .renewTime(now)));
            } else {
                Objects.requireNonNull(lease.getSpec()).setRenewTime(now);
                api.replace(Kinds.LEASES, lease);
            }
        } catch (ApiFailure.Stale e) {
            // The next beat does it.
        }
    }

    private V1Node node(boolean controlPlane) {
        Map<String, String> labels = new HashMap<>();
        labels.put("kubernetes.io/hostname", machine.name());
        labels.put("kubernetes.io/os", "linux");
        labels.put("kubernetes.io/arch", "amd64");
        V1NodeSpec spec = new V1NodeSpec();
        if (controlPlane) {
            labels.put(CONTROL_PLANE, "");
            spec.addTaintsItem(new V1Taint().key(CONTROL_PLANE).effect("NoSchedule"));
        }
        return new V1Node()
                .apiVersion("v1")
                .kind("Node")
                .metadata(new V1ObjectMeta().name(machine.name()).labels(labels))
                .spec(spec);
    }

    private V1NodeStatus status(V1Node node) {
        OffsetDateTime now =
                timeline.now().atOffset(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS);
        List<V1NodeCondition> before =
                node.getStatus() == null || node.getStatus().getConditions() == null
                        ? List.of()
                        : node.getStatus().getConditions();
        V1NodeCondition ready =
                before.stream()
                        .filter(c -> "Ready".equals(c.getType()) && "True".equals(c.getStatus()))
                        .findFirst()
                        .orElseGet(
                                () ->
                                        new V1NodeCondition()
                                                .type("Ready")
                                                .status("True")
                                                .reason("KubeletReady")
                                                .message("kubelet is posting ready status")
                                                .lastHeartbeatTime(now)
                                                .lastTransitionTime(now));
        Map<String, Quantity> room =
                Map.of(
                        "cpu", new Quantity("8"),
                        "memory", new Quantity("16Gi"),
                        "pods", new Quantity("250"));
        return new V1NodeStatus()
                .addAddressesItem(
                        new V1NodeAddress().type("InternalIP").address(machine.internalIp()))
                .addAddressesItem(new V1NodeAddress().type("Hostname").address(machine.name()))
                .addConditionsItem(ready)
                .capacity(room)
                .allocatable(room)
                .nodeInfo(
                        new V1NodeSystemInfo()
                                .kubeletVersion("v1.34.0")
                                .kubeProxyVersion("")
                                .osImage("Coil sandbox")
                                .kernelVersion("simulated")
                                .operatingSystem("linux")
                                .architecture("amd64")
                                .containerRuntimeVersion("sandbox://1.0")
                                .machineID("")
                                .systemUUID("")
                                .bootID(""));
    }
}
