package io.coil.apiserver;

import io.coil.apiserver.auth.BuiltInRoles;
import io.coil.apiserver.auth.Identity;
import io.coil.apiserver.auth.RbacAuthorizer;
import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.ApiStatusException;
import io.coil.apiserver.lifecycle.Operations;
import io.coil.apiserver.lifecycle.Operations.FieldValidation;
import io.coil.apiserver.lifecycle.Operations.Part;
import io.coil.apiserver.lifecycle.Operations.WriteQuery;
import io.coil.apiserver.resource.ResourceRegistry;
import io.coil.apiserver.resource.ResourceType;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/** The roles and bindings that every server has from its first start on. */
final class DefaultRoles {
    private final ResourceRegistry types;
    private final Operations operations;

    DefaultRoles(ResourceRegistry types, Operations operations) {
        this.types = types;
        this.operations = operations;
    }

    void create() {
        BuiltInRoles.clusterRoles(customGroups())
                .forEach(role -> createOrReplace(type(RbacAuthorizer.GROUP, "clusterroles"), role));
        BuiltInRoles.clusterRoleBindings()
                .forEach(
                        binding ->
                                createUnlessThere(
                                        type(RbacAuthorizer.GROUP, "clusterrolebindings"),
                                        binding));
    }

    private List<String> customGroups() {
        return types.types().stream()
                .filter(ResourceType::custom)
                .map(ResourceType::group)
                .distinct()
                .toList();
    }

    private ResourceType type(String group, String plural) {
        return types.find(group, "v1", plural).orElseThrow();
    }

    private void createOrReplace(ResourceType type, ObjectNode object) {
        if (!createUnlessThere(type, object)) {
            String name = Json.metadata(object).path("name").asString("");
            operations.replace(type, null, name, Part.MAIN, complete(type, object), query());
        }
    }

    /** False if an object of that name was there. */
    private boolean createUnlessThere(ResourceType type, ObjectNode object) {
        try {
            operations.create(type, null, complete(type, object), query());
            return true;
        } catch (ApiStatusException e) {
            if (e.reason().equals("AlreadyExists")) {
                return false;
            }
            throw e;
        }
    }

    private static ObjectNode complete(ResourceType type, ObjectNode object) {
        ObjectNode complete =
                Json.object().put("apiVersion", type.apiVersion()).put("kind", type.kind());
        return complete.setAll(object.deepCopy());
    }

    private static WriteQuery query() {
        Identity self = Identity.of("system:apiserver", List.of(Identity.MASTERS));
        return new WriteQuery(
                self.name(),
                self.groups(),
                false,
                FieldValidation.WARN,
                "apiserver",
                new ArrayList<>());
    }
}
