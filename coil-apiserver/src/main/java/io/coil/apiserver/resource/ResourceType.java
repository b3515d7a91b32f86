package io.coil.apiserver.resource;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;

/**
 * One kind of object that the server serves, built in or from a CustomResourceDefinition.
 *
 * @param group API group, empty for the core group
 * @param statusSubresource whether {@code /status} exists (then the main resource ignores changes
 *     of status, and the other way round, and {@code metadata.generation} counts changes outside of
 *     metadata and status)
 * @param scaleSubresource whether {@code /scale} exists
 * @param schema OpenAPI v3 schema of the whole object; null where fields are not checked
 * @param columns columns of a Table after the name; empty means name and age
 */
public record ResourceType(
        String group,
        String version,
        String plural,
        String singular,
        String kind,
        List<String> shortNames,
        List<String> categories,
        boolean namespaced,
        boolean statusSubresource,
        boolean scaleSubresource,
        boolean custom,
        @Nullable JsonNode schema,
        List<Column> columns) {

    /**
     * A column of a Table: JSON path as in a CRD's additionalPrinterColumns; priority 0 is always
     * shown, 1 with -o wide.
     */
    public record Column(
            String name,
            String type,
            String format,
            String description,
            String jsonPath,
            int priority) {}

    /** {@code v1} or {@code group/version}. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** {@code plural} or {@code plural.group}: how Kubernetes names the resource in messages. */
    public String qualifiedName() {
        return group.isEmpty() ? plural : plural + "." + group;
    }
}
