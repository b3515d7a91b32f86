package io.coil.apiserver.patch;

import io.coil.apiserver.json.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/**
 * Kubernetes' strategic merge: as a merge patch, but lists whose items have a key are merged item
 * by item, lists that are sets are united, and directives say what to delete ({@code $patch},
 * {@code $deleteFromPrimitiveList}, {@code $retainKeys}) and how to order ({@code
 * $setElementOrder}).
 */
public final class StrategicMergePatch {
    private static final String PATCH = "$patch";
    private static final String RETAIN_KEYS = "$retainKeys";
    private static final String ORDER = "$setElementOrder/";
    private static final String DELETE_PRIMITIVE = "$deleteFromPrimitiveList/";

    private final String kind;

    private StrategicMergePatch(String kind) {
        this.kind = kind;
    }

    /** A new tree; neither argument is changed. */
    public static ObjectNode apply(ObjectNode target, ObjectNode patch) {
        String kind = target.path("kind").asString("");
        return new StrategicMergePatch(kind).object(target, patch);
    }

    private ObjectNode object(@Nullable JsonNode target, ObjectNode patch) {
        String directive = patch.path(PATCH).asString("");
        if (directive.equals("delete")) {
            return Json.object();
        }
        ObjectNode result =
                target instanceof ObjectNode object && !directive.equals("replace")
                        ? object.deepCopy()
                        : Json.object();
        retain(result, patch.path(RETAIN_KEYS));
        patch.forEachEntry((name, change) -> field(result, name, change));
        patch.forEachEntry(
                (name, order) -> {
                    if (name.startsWith(ORDER)) {
                        order(result, name.substring(ORDER.length()), order);
                    }
                });
        return result;
    }

    private static void retain(ObjectNode result, JsonNode keys) {
        if (keys.isArray()) {
            result.retain(Json.texts(keys));
        }
    }

    private void field(ObjectNode result, String name, JsonNode change) {
        if (name.startsWith(DELETE_PRIMITIVE)) {
            deletePrimitives(result, name.substring(DELETE_PRIMITIVE.length()), change);
        } else if (name.startsWith("$")) {
            return;
        } else if (change.isNull()) {
            result.remove(name);
        } else if (change instanceof ObjectNode object) {
            if (object.path(PATCH).asString("").equals("delete")) {
                result.remove(name);
            } else {
                result.set(name, object(result.get(name), object));
            }
        } else if (change instanceof ArrayNode array) {
            result.set(name, list(result.get(name), name, array));
        } else {
            result.set(name, change);
        }
    }

    private JsonNode list(@Nullable JsonNode target, String field, ArrayNode patch) {
        String key = MergeKeys.of(kind, field);
        if (key != null && patch.valueStream().allMatch(JsonNode::isObject)) {
            return byKey(target, key, patch);
        }
        if (!MergeKeys.isSet(field)) {
            return patch.deepCopy();
        }
        ArrayNode united = JsonNodeFactory.instance.arrayNode();
        List<JsonNode> seen = new ArrayList<>();
        for (JsonNode list : target == null ? List.of(patch) : List.of(target, patch)) {
            for (JsonNode item : list) {
                if (!seen.contains(item)) {
                    seen.add(item);
                    united.add(item);
                }
            }
        }
        return united;
    }

    private ArrayNode byKey(@Nullable JsonNode target, String key, ArrayNode patch) {
        boolean replace =
                patch.valueStream()
                        .anyMatch(
                                item ->
                                        item.size() == 1
                                                && item.path(PATCH).asString("").equals("replace"));
        List<JsonNode> items = new ArrayList<>();
        if (target != null && !replace) {
            target.forEach(items::add);
        }
        for (JsonNode change : patch) {
            if (!change.has(key)) {
                if (!change.has(PATCH)) {
                    items.add(object(null, (ObjectNode) change));
                }
                continue;
            }
            int at = indexOf(items, key, change.path(key));
            if (change.path(PATCH).asString("").equals("delete")) {
                if (at >= 0) {
                    items.remove(at);
                }
            } else if (at < 0) {
                items.add(object(null, (ObjectNode) change));
            } else {
                items.set(at, object(items.get(at), (ObjectNode) change));
            }
        }
        return array(items);
    }

    private static void deletePrimitives(ObjectNode result, String field, JsonNode gone) {
        if (result.get(field) instanceof ArrayNode list) {
            List<JsonNode> remove = new ArrayList<>(gone.values());
            result.set(field, array(list.valueStream().filter(v -> !remove.contains(v)).toList()));
        }
    }

    /** Items that the order names come as it says; others stay behind the one they followed. */
    private void order(ObjectNode result, String field, JsonNode order) {
        if (!(result.get(field) instanceof ArrayNode list)) {
            return;
        }
        String key = MergeKeys.of(kind, field);
        List<JsonNode> wanted = new ArrayList<>(order.values());
        List<JsonNode> sorted = new ArrayList<>();
        List<JsonNode> rest = new ArrayList<>(list.values());
        for (JsonNode next : wanted) {
            int at = key == null ? rest.indexOf(next) : indexOf(rest, key, next.path(key));
            if (at >= 0) {
                sorted.add(rest.remove(at));
            }
        }
        for (JsonNode other : rest) {
            int before = new ArrayList<>(list.values()).indexOf(other) - 1;
            int place = before < 0 ? 0 : sorted.indexOf(list.get(before)) + 1;
            sorted.add(place == 0 && before >= 0 ? sorted.size() : place, other);
        }
        result.set(field, array(sorted));
    }

    private static int indexOf(List<JsonNode> items, String key, JsonNode value) {
        for (int i = 0; i < items.size(); i++) {
            if (Json.same(items.get(i).get(key), value)) {
                return i;
            }
        }
        return -1;
    }

    private static ArrayNode array(List<JsonNode> items) {
        return JsonNodeFactory.instance.arrayNode().addAll(items);
    }
}
