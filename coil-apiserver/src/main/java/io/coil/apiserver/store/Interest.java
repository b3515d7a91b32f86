package io.coil.apiserver.store;

import tools.jackson.databind.JsonNode;

import java.util.List;

/**
 * What a reader of changes wants to see, told so far that the store need not wake it for anything
 * else: objects that have, or had, a value at a path. An empty path means everything.
 */
public record Interest(List<String> path, String value) {
    public static final Interest EVERYTHING = new Interest(List.of(), "");

    public static Interest label(String key, String value) {
        return new Interest(List.of("metadata", "labels", key), value);
    }

    public static Interest name(String name) {
        return new Interest(List.of("metadata", "name"), name);
    }

    public static Interest namespace(String namespace) {
        return new Interest(List.of("metadata", "namespace"), namespace);
    }

    boolean includes(StoredObject object) {
        return value.equals(valueAt(path, object));
    }

    static String valueAt(List<String> path, StoredObject object) {
        JsonNode at = object.tree();
        for (int i = 0; i < path.size(); i++) {
            at = at.path(path.get(i));
        }
        return at.asString("");
    }
}
