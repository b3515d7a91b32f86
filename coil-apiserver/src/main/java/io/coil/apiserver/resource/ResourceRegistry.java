package io.coil.apiserver.resource;

import io.coil.apiserver.schema.StructuralSchema;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Which types are served at this moment. One immutable image, swapped as a whole whenever a
 * CustomResourceDefinition comes, changes or goes.
 */
public final class ResourceRegistry {
    public static final TypeKey DEFINITIONS =
            new TypeKey("apiextensions.k8s.io", "customresourcedefinitions");

    private record Path(String group, String version, String plural) {}

    private record Entry(ResourceType type, StructuralSchema schema) {}

    /**
     * @param custom the types of each definition, by its name
     */
    private record Image(
            long version,
            List<ResourceType> types,
            Map<Path, Entry> byPath,
            Map<String, List<ResourceType>> custom) {}

    private final List<ResourceType> builtIn;
    private final AtomicReference<Image> image;

    public ResourceRegistry() {
        this.builtIn = BuiltInTypes.read();
        this.image = new AtomicReference<>(image(1, Map.of(), Map.of()));
    }

    /** All types that are served, built-in ones first. */
    public List<ResourceType> types() {
        return current().types();
    }

    public Optional<ResourceType> find(String group, String version, String plural) {
        return Optional.ofNullable(current().byPath().get(new Path(group, version, plural)))
                .map(Entry::type);
    }

    /** Any served version of what is stored under that key. */
    public Optional<ResourceType> find(TypeKey key) {
        return types().stream()
                .filter(t -> t.plural().equals(key.plural()) && t.group().equals(key.group()))
                .findFirst();
    }

    /** The type of an object by its own apiVersion and kind. */
    public Optional<ResourceType> ofKind(String apiVersion, String kind) {
        return types().stream()
                .filter(t -> t.kind().equals(kind) && t.apiVersion().equals(apiVersion))
                .findFirst();
    }

    /** Grows with every change of the set of types: discovery documents may be kept until then. */
    public long version() {
        return current().version();
    }

    /** How fields of that type are defaulted, pruned and checked. */
    public StructuralSchema schemaOf(ResourceType type) {
        Entry entry = current().byPath().get(new Path(type.group(), type.version(), type.plural()));
        return entry == null ? StructuralSchema.ANYTHING : entry.schema();
    }

    public static boolean isDefinition(TypeKey type) {
        return type.equals(DEFINITIONS);
    }

    /** A definition was stored: serve what it declares. */
    public void define(JsonNode definition) {
        String name = definition.path("metadata").path("name").asString("");
        List<ResourceType> types = List.copyOf(CustomTypes.of(definition));
        image.updateAndGet(
                old -> {
                    Map<String, List<ResourceType>> custom = new LinkedHashMap<>(old.custom());
                    List<ResourceType> before = custom.put(name, types);
                    return types.equals(before)
                            ? old
                            : image(old.version() + 1, custom, old.byPath());
                });
    }

    /** A definition is gone. */
    public void undefine(String name) {
        image.updateAndGet(
                old -> {
                    Map<String, List<ResourceType>> custom = new LinkedHashMap<>(old.custom());
                    return custom.remove(name) == null
                            ? old
                            : image(old.version() + 1, custom, old.byPath());
                });
    }

    private Image image(
            long version, Map<String, List<ResourceType>> custom, Map<Path, Entry> known) {
        List<ResourceType> types = new ArrayList<>(builtIn);
        custom.values().forEach(types::addAll);
        Map<Path, Entry> byPath = new HashMap<>();
        for (ResourceType type : types) {
            Path path = new Path(type.group(), type.version(), type.plural());
            @Nullable Entry before = known.get(path);
            byPath.put(
                    path,
                    before != null && before.type().equals(type)
                            ? before
                            : new Entry(type, StructuralSchema.of(type.schema())));
        }
        return new Image(version, List.copyOf(types), Map.copyOf(byPath), custom);
    }

    private Image current() {
        return Objects.requireNonNull(image.get());
    }
}
