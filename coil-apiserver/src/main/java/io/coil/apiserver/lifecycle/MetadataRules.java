package io.coil.apiserver.lifecycle;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.ApiStatusException.Cause;
import io.coil.apiserver.resource.ResourceType;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What names, labels, annotations, finalizers and owner references must look like. */
final class MetadataRules {
    private static final String SUBDOMAIN_RULE =
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-'"
                    + " or '.', and must start and end with an alphanumeric character (e.g."
                    + " 'example.com', regex used for validation is"
                    + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    private static final String LABEL_RULE =
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-',"
                    + " and must start and end with an alphanumeric character (e.g. 'my-name',  or"
                    + " '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
    private static final String VALUE_RULE =
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_'"
                    + " or '.', and must start and end with an alphanumeric character (e.g."
                    + " 'MyValue',  or 'my_value',  or '12345', regex used for validation is"
                    + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
    private static final String QUALIFIED_RULE =
            "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and"
                    + " end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or"
                    + " '123-abc', regex used for validation is"
                    + " '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern VALUE =
            Pattern.compile("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?");
    private static final Pattern QUALIFIED =
            Pattern.compile(
                    "([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
    private static final int ANNOTATIONS_LIMIT = 256 * 1024;

    private final List<Cause> causes = new ArrayList<>();

    private MetadataRules() {}

    static List<Cause> check(ResourceType type, ObjectNode object) {
        MetadataRules rules = new MetadataRules();
        JsonNode metadata = object.path("metadata");
        rules.name(type, metadata.path("name").asString(""));
        rules.labels(metadata.path("labels"));
        rules.annotations(metadata.path("annotations"));
        rules.finalizers(metadata.path("finalizers"));
        rules.owners(metadata.path("ownerReferences"));
        return rules.causes;
    }

    private void name(ResourceType type, String name) {
        if (name.isEmpty()) {
            causes.add(
                    new Cause(
                            "metadata.name",
                            "FieldValueRequired",
                            "Required value: name or generateName is required"));
            return;
        }
        if (type.group().equals("rbac.authorization.k8s.io")) {
            if (name.equals(".") || name.equals("..") || name.contains("/") || name.contains("%")) {
                invalid("metadata.name", name, "may not contain '/' or '%'");
            }
            return;
        }
        boolean label = Kinds.isNamespace(type) || type.kind().equals("Service");
        int limit = label ? 63 : 253;
        if (name.length() > limit) {
            invalid("metadata.name", name, "must be no more than " + limit + " characters");
        } else if (!(label ? LABEL : SUBDOMAIN).matcher(name).matches()) {
            invalid("metadata.name", name, label ? LABEL_RULE : SUBDOMAIN_RULE);
        }
    }

    private void labels(JsonNode labels) {
        for (Map.Entry<String, JsonNode> label : labels.properties()) {
            qualified("metadata.labels", label.getKey());
            if (!label.getValue().isString()) {
                invalid("metadata.labels", label.getKey(), "must have a string as its value");
                continue;
            }
            String value = label.getValue().stringValue();
            if (value.length() > 63) {
                invalid("metadata.labels", value, "must be no more than 63 characters");
            } else if (!VALUE.matcher(value).matches()) {
                invalid("metadata.labels", value, VALUE_RULE);
            }
        }
    }

    private void annotations(JsonNode annotations) {
        long size = 0;
        for (Map.Entry<String, JsonNode> annotation : annotations.properties()) {
            qualified("metadata.annotations", annotation.getKey());
            if (!annotation.getValue().isString()) {
                invalid(
                        "metadata.annotations",
                        annotation.getKey(),
                        "must have a string as its value");
            }
            size += annotation.getKey().length() + annotation.getValue().asString("").length();
        }
        if (size > ANNOTATIONS_LIMIT) {
            causes.add(
                    new Cause(
                            "metadata.annotations",
                            "FieldValueTooLong",
                            "Too long: may not be more than " + ANNOTATIONS_LIMIT + " bytes"));
        }
    }

    private void finalizers(JsonNode finalizers) {
        for (int i = 0; i < finalizers.size(); i++) {
            qualified("metadata.finalizers[" + i + "]", finalizers.get(i).asString(""));
        }
    }

    private void owners(JsonNode owners) {
        int controllers = 0;
        for (JsonNode owner : owners) {
            for (String field : List.of("apiVersion", "kind", "name", "uid")) {
                @Nullable String value = Json.text(owner, field);
                if (value == null || value.isEmpty()) {
                    invalid("metadata.ownerReferences." + field, "", field + " must not be empty");
                }
            }
            controllers += owner.path("controller").asBoolean(false) ? 1 : 0;
        }
        if (controllers > 1) {
            causes.add(
                    new Cause(
                            "metadata.ownerReferences",
                            "FieldValueInvalid",
                            "Invalid value: Only one reference can have Controller set to true"));
        }
    }

    private void qualified(String field, String name) {
        String local = name.substring(name.lastIndexOf('/') + 1);
        if (local.length() > 63) {
            invalid(field, name, "name part must be no more than 63 characters");
        } else if (!QUALIFIED.matcher(name).matches()) {
            invalid(field, name, QUALIFIED_RULE);
        }
    }

    private void invalid(String field, String value, String rule) {
        causes.add(
                new Cause(field, "FieldValueInvalid", "Invalid value: \"" + value + "\": " + rule));
    }
}
