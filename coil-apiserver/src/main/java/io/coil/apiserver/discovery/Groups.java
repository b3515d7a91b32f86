package io.coil.apiserver.discovery;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.resource.ResourceRegistry;
import io.coil.apiserver.resource.ResourceType;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** API groups, their versions and resources. */
final class Groups {
    private static final List<String> VERBS =
            List.of(
                    "create",
                    "delete",
                    "deletecollection",
                    "get",
                    "list",
                    "patch",
                    "update",
                    "watch");
    private static final List<String> SUBRESOURCE_VERBS = List.of("get", "patch", "update");

    private final ResourceRegistry registry;

    Groups(ResourceRegistry registry) {
        this.registry = registry;
    }

    ObjectNode coreVersions() {
        ObjectNode versions = Json.object().put("kind", "APIVersions");
        versions.putArray("versions").add("v1");
        versions.putArray("serverAddressByClientCIDRs");
        return versions;
    }

    ObjectNode all() {
        ObjectNode list = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = list.putArray("groups");
        versionsByGroup().forEach((name, versions) -> groups.add(describe(name, versions)));
        return list;
    }

    Optional<ObjectNode> group(String name) {
        return Optional.ofNullable(versionsByGroup().get(name))
                .map(
                        versions -> {
                            ObjectNode group =
                                    Json.object().put("kind", "APIGroup").put("apiVersion", "v1");
                            return group.setAll(describe(name, versions));
                        });
    }

    /** Groups but the core one, with their versions, the preferred one first. */
    private Map<String, Set<String>> versionsByGroup() {
        Map<String, Set<String>> groups = new LinkedHashMap<>();
        for (ResourceType type : registry.types()) {
            if (!type.group().isEmpty()) {
                groups.computeIfAbsent(type.group(), g -> new LinkedHashSet<>())
                        .add(type.version());
            }
        }
        for (VirtualResource virtual : VirtualResource.ALL) {
            groups.computeIfAbsent(virtual.group(), g -> new LinkedHashSet<>())
                    .add(virtual.version());
        }
        return groups;
    }

    private static ObjectNode describe(String name, Set<String> versions) {
        ObjectNode group = Json.object().put("name", name);
        ArrayNode list = group.putArray("versions");
        for (String version : versions) {
            list.add(version(name, version));
        }
        group.set("preferredVersion", version(name, versions.iterator().next()));
        return group;
    }

    private static ObjectNode version(String group, String version) {
        return Json.object().put("groupVersion", group + "/" + version).put("version", version);
    }

    Optional<ObjectNode> resources(String group, String version) {
        List<ObjectNode> resources = new ArrayList<>();
        for (ResourceType type : registry.types()) {
            if (type.group().equals(group) && type.version().equals(version)) {
                describe(type, resources);
            }
        }
        for (VirtualResource virtual : VirtualResource.ALL) {
            if (virtual.group().equals(group) && virtual.version().equals(version)) {
                resources.add(
                        resource(
                                virtual.plural(),
                                "",
                                virtual.kind(),
                                virtual.namespaced(),
                                List.of("create")));
            }
        }
        if (resources.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode list =
                Json.object()
                        .put("kind", "APIResourceList")
                        .put("apiVersion", "v1")
                        .put("groupVersion", group.isEmpty() ? version : group + "/" + version);
        list.putArray("resources").addAll(resources);
        return Optional.of(list);
    }

    private static void describe(ResourceType type, List<ObjectNode> resources) {
        ObjectNode main =
                resource(type.plural(), type.singular(), type.kind(), type.namespaced(), VERBS);
        names(main, "shortNames", type.shortNames());
        names(main, "categories", type.categories());
        resources.add(main);
        if (type.statusSubresource()) {
            resources.add(subresource(type, "status", type.kind(), SUBRESOURCE_VERBS));
        }
        if (type.scaleSubresource()) {
            resources.add(
                    subresource(type, "scale", "Scale", SUBRESOURCE_VERBS)
                            .put("group", "autoscaling")
                            .put("version", "v1"));
        }
        if (type.group().isEmpty() && type.plural().equals("serviceaccounts")) {
            resources.add(
                    subresource(type, "token", "TokenRequest", List.of("create"))
                            .put("group", "authentication.k8s.io")
                            .put("version", "v1"));
        }
        if (type.group().isEmpty() && type.plural().equals("pods")) {
            resources.add(subresource(type, "log", type.kind(), List.of("get")));
            resources.add(subresource(type, "binding", "Binding", List.of("create")));
            resources.add(
                    subresource(type, "eviction", "Eviction", List.of("create"))
                            .put("group", "policy")
                            .put("version", "v1"));
        }
    }

    private static void names(ObjectNode resource, String field, List<String> values) {
        if (!values.isEmpty()) {
            resource.set(field, Json.array(values));
        }
    }

    private static ObjectNode subresource(
            ResourceType type, String name, String kind, List<String> verbs) {
        return resource(type.plural() + "/" + name, "", kind, type.namespaced(), verbs);
    }

    private static ObjectNode resource(
            String name, String singular, String kind, boolean namespaced, List<String> verbs) {
        ObjectNode resource =
                Json.object()
                        .put("name", name)
                        .put("singularName", singular)
                        .put("namespaced", namespaced)
                        .put("kind", kind);
        resource.set("verbs", Json.array(verbs));
        return resource;
    }
}
