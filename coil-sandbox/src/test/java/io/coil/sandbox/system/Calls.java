package io.coil.sandbox.system;

import io.coil.sandbox.cluster.CniRequest;

import java.util.Map;

/** Calls of the plugin that no kubelet makes. */
final class Calls {
    private Calls() {}

    static CniRequest add(String namespace, String pod) {
        return call("ADD", namespace, pod);
    }

    static CniRequest del(String namespace, String pod) {
        return call("DEL", namespace, pod);
    }

    /** The container id follows from the pod's name: ADD and DEL of one name belong together. */
    private static CniRequest call(String command, String namespace, String pod) {
        String container =
                "%064x".formatted(Integer.toUnsignedLong((namespace + "/" + pod).hashCode()));
        return new CniRequest(
                Map.of(
                        "CNI_COMMAND",
                        command,
                        "CNI_CONTAINERID",
                        container,
                        "CNI_NETNS",
                        "/var/run/netns/" + pod,
                        "CNI_IFNAME",
                        "eth0",
                        "CNI_PATH",
                        "/opt/cni/bin",
                        "CNI_ARGS",
                        "IgnoreUnknown=1;K8S_POD_NAMESPACE=%s;K8S_POD_NAME=%s;K8S_POD_INFRA_CONTAINER_ID=%s"
                                .formatted(namespace, pod, container)),
                "{\"cniVersion\":\"1.0.0\",\"name\":\"k8s-pod-network\",\"type\":\"coil\"}");
    }
}
