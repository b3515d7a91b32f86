package io.coil.kubernetes.client;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;

import io.coil.kubernetes.resource.Json;
import io.kubernetes.client.common.KubernetesObject;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;

/**
 * One page of a list.
 *
 * @param resourceVersion the version of the whole list, the same on every page
 * @param next token of the page after this one, null for the last
 */
record Page<T>(List<T> items, String resourceVersion, @Nullable String next) {

    /** Reads item by item: the text of a page is never held as a whole. */
    static <T extends KubernetesObject> Page<T> read(Reader body, TypeMeta<T> meta, Class<T> type)
            throws IOException {
        List<T> items = new ArrayList<>();
        JsonObject metadata = new JsonObject();
        JsonReader in = new JsonReader(body);
        in.beginObject();
        while (in.hasNext()) {
            switch (in.nextName()) {
                case "metadata" -> metadata = JsonParser.parseReader(in).getAsJsonObject();
                case "items" -> items(in, items, meta, type);
                default -> in.skipValue();
            }
        }
        in.endObject();
        String version = text(metadata, "resourceVersion");
        if (version == null) {
            throw new JsonParseException("a list without a resourceVersion");
        }
        return new Page<>(items, version, text(metadata, "continue"));
    }

    private static <T extends KubernetesObject> void items(
            JsonReader in, List<T> items, TypeMeta<T> meta, Class<T> type) throws IOException {
        if (in.peek() == JsonToken.NULL) {
            in.nextNull();
            return;
        }
        in.beginArray();
        while (in.hasNext()) {
            T item = Json.GSON.fromJson(in, type);
            items.add(meta.said(item));
        }
        in.endArray();
    }

    private static @Nullable String text(JsonObject object, String name) {
        String text = object.has(name) ? object.get(name).getAsString() : "";
        return text.isEmpty() ? null : text;
    }
}
