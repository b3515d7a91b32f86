package io.coil.apiserver.table;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.stream.Collectors;

/** What {@code kubectl get nodes} shows of a node. */
final class NodeCells {
    private static final String ROLE = "node-role.kubernetes.io/";

    private NodeCells() {}

    static String status(JsonNode node) {
        String ready =
                node.at("/status/conditions")
                        .valueStream()
                        .filter(condition -> condition.path("type").asString("").equals("Ready"))
                        .map(condition -> condition.path("status").asString(""))
                        .findFirst()
                        .orElse("");
        String text =
                switch (ready) {
                    case "True" -> "Ready";
                    case "" -> "Unknown";
                    default -> "NotReady";
                };
        return node.at("/spec/unschedulable").asBoolean(false)
                ? text + ",SchedulingDisabled"
                : text;
    }

    static String roles(JsonNode node) {
        List<String> roles =
                node.at("/metadata/labels")
                        .propertyStream()
                        .filter(label -> label.getKey().startsWith(ROLE))
                        .map(label -> label.getKey().substring(ROLE.length()))
                        .sorted()
                        .toList();
        return roles.isEmpty() ? "<none>" : String.join(",", roles);
    }

    static String address(JsonNode node, String type) {
        String found =
                node.at("/status/addresses")
                        .valueStream()
                        .filter(address -> address.path("type").asString("").equals(type))
                        .map(address -> address.path("address").asString(""))
                        .limit(1)
                        .collect(Collectors.joining());
        return found.isEmpty() ? "<none>" : found;
    }
}
