package io.coil.apiserver.resource;

/**
 * What objects are stored under. All served versions of a resource share one key, because they show
 * the same objects.
 */
public record TypeKey(String group, String plural) {
    public static TypeKey of(ResourceType type) {
        return new TypeKey(type.group(), type.plural());
    }

    /** {@code plural} or {@code plural.group}: how Kubernetes names the resource in messages. */
    public String qualifiedName() {
        return group.isEmpty() ? plural : plural + "." + group;
    }
}
