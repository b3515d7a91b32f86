package io.coil.apiserver.patch;

import io.coil.apiserver.json.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** RFC 7386: objects are merged field by field, null removes, everything else replaces. */
public final class MergePatch {
    private MergePatch() {}

    /** A new tree; neither argument is changed. */
    public static JsonNode apply(@Nullable JsonNode target, JsonNode patch) {
        if (!(patch instanceof ObjectNode changes)) {
            return patch.deepCopy();
        }
        ObjectNode result = target instanceof ObjectNode object ? object.deepCopy() : Json.object();
        changes.forEachEntry(
                (name, change) -> {
                    if (change.isNull()) {
                        result.remove(name);
                    } else {
                        result.set(name, apply(result.get(name), change));
                    }
                });
        return result;
    }
}
