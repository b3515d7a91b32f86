package io.coil.apiserver.rest;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The resource that a path is for: {@code /api/v1/...} or {@code /apis/<group>/<version>/...}.
 *
 * @param name null: the whole collection
 */
record Target(
        String group,
        String version,
        @Nullable String namespace,
        String plural,
        @Nullable String name,
        @Nullable String subresource) {

    /** Empty when the path names no resource. */
    static Optional<Target> parse(String path) {
        List<String> parts = Arrays.asList(path.substring(1).split("/", -1));
        if (parts.contains("")) {
            return Optional.empty();
        }
        return switch (parts.getFirst()) {
            case "api" ->
                    parts.size() > 2
                            ? of("", parts.get(1), parts.subList(2, parts.size()))
                            : Optional.empty();
            case "apis" ->
                    parts.size() > 3
                            ? of(parts.get(1), parts.get(2), parts.subList(3, parts.size()))
                            : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static Optional<Target> of(String group, String version, List<String> rest) {
        String namespace = null;
        List<String> parts = rest;
        if (parts.getFirst().equals("namespaces")
                && parts.size() > 2
                && !ofNamespaceItself(parts)) {
            namespace = parts.get(1);
            parts = parts.subList(2, parts.size());
        }
        if (parts.size() > 3) {
            return Optional.empty();
        }
        return Optional.of(
                new Target(
                        group,
                        version,
                        namespace,
                        parts.getFirst(),
                        parts.size() > 1 ? parts.get(1) : null,
                        parts.size() > 2 ? parts.get(2) : null));
    }

    private static boolean ofNamespaceItself(List<String> parts) {
        return parts.size() == 3
                && (parts.get(2).equals("status") || parts.get(2).equals("finalize"));
    }

    /** The verb of RBAC for a method; empty when the method means nothing here. */
    Optional<String> verb(String method, boolean watch) {
        boolean one = name != null;
        return Optional.ofNullable(
                switch (method) {
                    case "GET", "HEAD" -> watch ? "watch" : one ? "get" : "list";
                    case "POST" -> "create";
                    case "PUT" -> one ? "update" : null;
                    case "PATCH" -> one ? "patch" : null;
                    case "DELETE" -> one ? "delete" : "deletecollection";
                    default -> null;
                });
    }

    /** The namespace that authorization looks at: that of a Namespace object is its own. */
    @Nullable String policyNamespace() {
        return namespace == null && group.isEmpty() && plural.equals("namespaces")
                ? name
                : namespace;
    }
}
