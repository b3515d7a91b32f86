package io.coil.apiserver.auth;

import org.jspecify.annotations.Nullable;

/**
 * What a request wants to do, as authorization sees it.
 *
 * @param path of a request that is for no resource; null if it is for one
 */
public record Attributes(
        Identity identity,
        String verb,
        String group,
        String resource,
        @Nullable String subresource,
        @Nullable String namespace,
        @Nullable String name,
        @Nullable String path) {

    public static Attributes ofPath(Identity identity, String verb, String path) {
        return new Attributes(identity, verb, "", "", null, null, null, path);
    }

    /** {@code pods/log}. */
    public String resourceWithSubresource() {
        return subresource == null ? resource : resource + "/" + subresource;
    }

    /** Why it is refused, in Kubernetes' words. */
    public String refusal() {
        if (path != null) {
            return "forbidden: User \"%s\" cannot %s path \"%s\""
                    .formatted(identity.name(), verb, path);
        }
        String qualified = group.isEmpty() ? resource : resource + "." + group;
        String scope =
                namespace == null
                        ? "at the cluster scope"
                        : "in the namespace \"" + namespace + "\"";
        return "%s is forbidden: User \"%s\" cannot %s resource \"%s\" in API group \"%s\" %s"
                .formatted(
                        name == null ? qualified : qualified + " \"" + name + "\"",
                        identity.name(),
                        verb,
                        resourceWithSubresource(),
                        group,
                        scope);
    }
}
