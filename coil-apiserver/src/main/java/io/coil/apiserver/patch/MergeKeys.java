package io.coil.apiserver.patch;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.Set;

/** How lists of the core types are merged: by which key, or as sets; all others are replaced. */
final class MergeKeys {
    private static final Map<String, String> BY_FIELD =
            Map.ofEntries(
                    Map.entry("containers", "name"),
                    Map.entry("initContainers", "name"),
                    Map.entry("ephemeralContainers", "name"),
                    Map.entry("volumes", "name"),
                    Map.entry("env", "name"),
                    Map.entry("volumeMounts", "mountPath"),
                    Map.entry("volumeDevices", "devicePath"),
                    Map.entry("imagePullSecrets", "name"),
                    Map.entry("hostAliases", "ip"),
                    Map.entry("topologySpreadConstraints", "topologyKey"),
                    Map.entry("schedulingGates", "name"),
                    Map.entry("resourceClaims", "name"),
                    Map.entry("ownerReferences", "uid"),
                    Map.entry("conditions", "type"),
                    Map.entry("addresses", "type"),
                    Map.entry("taints", "key"),
                    Map.entry("secrets", "name"),
                    Map.entry("webhooks", "name"),
                    Map.entry("hostIPs", "ip"),
                    Map.entry("podIPs", "ip"));

    private static final Set<String> SETS = Set.of("finalizers", "podCIDRs");

    private MergeKeys() {}

    /**
     * The key by which the items of a list are told apart; null if the list is not merged by key.
     *
     * @param kind of the whole object: a port is known by its number inside its container, or as
     *     the Service offers it. Taints and tolerations differ: tolerations are one whole.
     */
    static @Nullable String of(String kind, String field) {
        if (field.equals("ports")) {
            return kind.equals("Service") ? "port" : "containerPort";
        }
        return BY_FIELD.get(field);
    }

    static boolean isSet(String field) {
        return SETS.contains(field);
    }
}
