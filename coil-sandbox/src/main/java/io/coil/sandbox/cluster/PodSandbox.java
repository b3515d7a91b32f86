package io.coil.sandbox.cluster;

import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.openapi.models.V1Pod;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * One attempt at a pod's sandbox: a container id and a network namespace of its own, never used
 * again.
 */
final class PodSandbox {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final V1Pod pod;
    private final Machine machine;
    private final String containerId;
    private final String namespace;
    private CniReply added = new CniReply(1, "");

    PodSandbox(V1Pod pod, Machine machine, Timeline timeline) {
        this.pod = pod;
        this.machine = machine;
        byte[] id = new byte[32];
        timeline.random().nextBytes(id);
        this.containerId = HexFormat.of().formatHex(id);
        this.namespace = "/var/run/netns/cni-" + containerId.substring(0, 24);
    }

    String containerId() {
        return containerId;
    }

    /** What ADD answered. */
    CniReply added() {
        return added;
    }

    CniReply add() throws InterruptedException {
        added = call("ADD", false);
        return added;
    }

    CniReply check() throws InterruptedException {
        return call("CHECK", true);
    }

    CniReply delete() throws InterruptedException {
        return call("DEL", added.ok());
    }

    private CniReply call(String command, boolean withResult) throws InterruptedException {
        Map<String, String> environment = new TreeMap<>();
        environment.put("CNI_COMMAND", command);
        environment.put("CNI_CONTAINERID", containerId);
        environment.put("CNI_NETNS", namespace);
        environment.put("CNI_IFNAME", "eth0");
        environment.put("CNI_PATH", "/opt/cni/bin");
        environment.put(
                "CNI_ARGS",
                "IgnoreUnknown=1;K8S_POD_NAMESPACE="
                        + pod.getMetadata().getNamespace()
                        + ";K8S_POD_NAME="
                        + pod.getMetadata().getName()
                        + ";K8S_POD_INFRA_CONTAINER_ID="
                        + containerId
                        + ";K8S_POD_UID="
                        + pod.getMetadata().getUid());
        ObjectNode configuration = JSON.createObjectNode();
        configuration
                .put("cniVersion", "1.0.0")
                .put("name", "k8s-pod-network")
                .put("type", "coil")
                .put("socket", "/run/coild.sock");
        if (withResult) {
            configuration.set("prevResult", JSON.readTree(added.stdout()));
        }
        return machine.plugin().call(new CniRequest(environment, configuration.toString()));
    }
}
