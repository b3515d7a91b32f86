package io.coil.apiserver.lifecycle;

import io.coil.apiserver.lifecycle.ApiStatusException.Cause;
import io.coil.apiserver.resource.ResourceRegistry;
import io.coil.apiserver.resource.ResourceType;
import io.coil.apiserver.resource.TypeKey;
import io.coil.apiserver.schema.StructuralSchema;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.PatternSyntaxException;

/** What must hold in objects of some built-in kinds and cannot be said in a schema. */
final class KindRules {
    private final ResourceRegistry registry;
    private final List<Cause> causes = new ArrayList<>();

    private KindRules(ResourceRegistry registry) {
        this.registry = registry;
    }

    static List<Cause> check(ResourceRegistry registry, ResourceType type, JsonNode object) {
        if (type.custom()) {
            return List.of();
        }
        KindRules rules = new KindRules(registry);
        switch (type.kind()) {
            case "Deployment", "ReplicaSet", "DaemonSet" ->
                    rules.selectsItsOwn(object.path("spec"));
            case "CustomResourceDefinition" -> rules.definition(object);
            default -> {}
        }
        return rules.causes;
    }

    /** Otherwise its controller would make pods for ever and find none of them. */
    private void selectsItsOwn(JsonNode spec) {
        JsonNode wanted = spec.path("selector").path("matchLabels");
        JsonNode labels = spec.path("template").path("metadata").path("labels");
        if (wanted.isEmpty() && spec.path("selector").path("matchExpressions").isEmpty()) {
            causes.add(
                    new Cause(
                            "spec.selector",
                            "FieldValueInvalid",
                            "Invalid value: {}: empty selector is invalid for deployment"));
        }
        for (var label : wanted.properties()) {
            if (!label.getValue().equals(labels.get(label.getKey()))) {
                causes.add(
                        new Cause(
                                "spec.template.metadata.labels",
                                "FieldValueInvalid",
                                "Invalid value: "
                                        + labels
                                        + ": `selector` does not match template `labels`"));
                return;
            }
        }
    }

    private void definition(JsonNode definition) {
        JsonNode spec = definition.path("spec");
        String group = spec.path("group").asString("");
        String plural = spec.path("names").path("plural").asString("");
        String name = definition.path("metadata").path("name").asString("");
        if (!name.equals(plural + "." + group)) {
            causes.add(
                    new Cause(
                            "metadata.name",
                            "FieldValueInvalid",
                            "Invalid value: \"%s\": must be spec.names.plural+\".\"+spec.group"
                                    .formatted(name)));
        }
        boolean taken =
                registry.find(new TypeKey(group, plural)).filter(t -> !t.custom()).isPresent();
        if (taken) {
            causes.add(
                    new Cause(
                            "spec.names.plural",
                            "FieldValueInvalid",
                            "Invalid value: \"%s\": is built in".formatted(plural)));
        }
        int stored = 0;
        for (int i = 0; i < spec.path("versions").size(); i++) {
            JsonNode version = spec.path("versions").get(i);
            stored += version.path("storage").asBoolean(false) ? 1 : 0;
            version("spec.versions[" + i + "].schema.openAPIV3Schema", version);
        }
        if (stored != 1) {
            causes.add(
                    new Cause(
                            "spec.versions",
                            "FieldValueInvalid",
                            "Invalid value: must have exactly one version marked as storage"
                                    + " version"));
        }
    }

    private void version(String field, JsonNode version) {
        JsonNode schema = version.path("schema").path("openAPIV3Schema");
        if (schema.isMissingNode()) {
            causes.add(
                    new Cause(field, "FieldValueRequired", "Required value: schemas are required"));
            return;
        }
        try {
            StructuralSchema.of(schema);
        } catch (PatternSyntaxException e) {
            causes.add(
                    new Cause(
                            field,
                            "FieldValueInvalid",
                            "Invalid value: \"%s\": must be a valid regular expression: %s"
                                    .formatted(e.getPattern(), e.getDescription())));
        }
    }
}
