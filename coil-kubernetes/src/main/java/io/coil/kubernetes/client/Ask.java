package io.coil.kubernetes.client;

import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.RequestBody;

import org.jspecify.annotations.Nullable;

/** One request, before it knows who sends it. */
record Ask(String method, HttpUrl url, @Nullable RequestBody body) {
    static final MediaType JSON = MediaType.get("application/json");
    static final MediaType MERGE_PATCH = MediaType.get("application/merge-patch+json");

    static Ask get(HttpUrl url) {
        return new Ask("GET", url, null);
    }

    static Ask send(String method, HttpUrl url, MediaType type, String body) {
        return new Ask(method, url, RequestBody.create(body, type));
    }

    boolean writes() {
        return !method.equals("GET");
    }

    @Override
    public String toString() {
        return method + " " + url.encodedPath();
    }
}
