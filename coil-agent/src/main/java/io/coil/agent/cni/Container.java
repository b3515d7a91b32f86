package io.coil.agent.cni;

import io.coil.core.holdings.ContainerKey;
import io.coil.core.holdings.PodRef;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/**
 * Whom a call is about.
 *
 * @param pod null if the runtime names none
 * @param podUid as newer runtimes tell it; null if they do not
 * @param netns path of its network namespace; empty if it has none any more
 */
record Container(ContainerKey key, @Nullable PodRef pod, @Nullable String podUid, String netns) {

    static Container of(CniRequest request) {
        String id = required(request, "CNI_CONTAINERID");
        String ifname = required(request, "CNI_IFNAME");
        Map<String, String> args = args(request.variable("CNI_ARGS"));
        String namespace = args.getOrDefault("K8S_POD_NAMESPACE", "");
        String name = args.getOrDefault("K8S_POD_NAME", "");
        PodRef pod = namespace.isEmpty() || name.isEmpty() ? null : new PodRef(namespace, name);
        return new Container(
                new ContainerKey(id, ifname),
                pod,
                args.get("K8S_POD_UID"),
                request.variable("CNI_NETNS"));
    }

    PodRef requiredPod() {
        if (pod == null) {
            throw new CniFailure(
                    CniFailure.INVALID_ENVIRONMENT,
                    "CNI_ARGS names no pod: K8S_POD_NAMESPACE and K8S_POD_NAME are needed");
        }
        return pod;
    }

    private static String required(CniRequest request, String variable) {
        String value = request.variable(variable);
        if (value.isEmpty()) {
            throw new CniFailure(CniFailure.INVALID_ENVIRONMENT, variable + " is not set");
        }
        return value;
    }

    private static Map<String, String> args(String text) {
        Map<String, String> args = new HashMap<>();
        for (String pair : text.split(";", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                args.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        return args;
    }
}
