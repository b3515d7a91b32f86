package io.coil.kubernetes.client;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;

import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.WatchEvent;
import io.coil.kubernetes.resource.Json;
import io.kubernetes.client.common.KubernetesObject;

/** Reads the lines of a watch. */
record EventText<T extends KubernetesObject>(Kind<T> kind, TypeMeta<T> meta) {

    WatchEvent<T> read(String line) {
        JsonObject event = JsonParser.parseString(line).getAsJsonObject();
        JsonElement object = event.get("object");
        String type = event.has("type") ? event.get("type").getAsString() : "";
        return switch (type) {
            case "ADDED", "MODIFIED" -> new WatchEvent.Present<>(object(object));
            case "DELETED" -> new WatchEvent.Gone<>(object(object));
            case "BOOKMARK" -> new WatchEvent.Bookmark<>(version(object.getAsJsonObject()));
            case "ERROR" -> new WatchEvent.Ended<>(Failures.ofEvent(object.getAsJsonObject()));
            default -> throw new JsonParseException("a watch event of unknown type: " + type);
        };
    }

    private T object(JsonElement object) {
        return meta.said(Json.GSON.fromJson(object, kind.type()));
    }

    private static String version(JsonObject bookmark) {
        return bookmark.getAsJsonObject("metadata").get("resourceVersion").getAsString();
    }
}
