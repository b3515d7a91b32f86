package io.coil.kubernetes.client;

import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.Selection;

import okhttp3.HttpUrl;

import org.jspecify.annotations.Nullable;

/** Where the API server keeps what. */
record Urls(HttpUrl base) {

    /** All objects of a kind, or those of one namespace. */
    HttpUrl collection(Kind<?> kind, @Nullable String namespace) {
        HttpUrl.Builder url = base.newBuilder();
        if (kind.group().isEmpty()) {
            url.addPathSegment("api");
        } else {
            url.addPathSegment("apis").addPathSegment(kind.group());
        }
        url.addPathSegment(kind.version());
        if (namespace != null) {
            url.addPathSegment("namespaces").addPathSegment(namespace);
        }
        return url.addPathSegment(kind.plural()).build();
    }

    HttpUrl object(Kind<?> kind, @Nullable String namespace, String name) {
        if (kind.namespaced() && namespace == null) {
            throw new IllegalArgumentException(kind + " " + name + ": a namespace is needed");
        }
        return collection(kind, namespace).newBuilder().addPathSegment(name).build();
    }

    HttpUrl status(Kind<?> kind, @Nullable String namespace, String name) {
        return object(kind, namespace, name).newBuilder().addPathSegment("status").build();
    }

    HttpUrl page(Kind<?> kind, Selection selection, int limit, @Nullable String next) {
        HttpUrl.Builder url = selected(kind, selection);
        url.addQueryParameter("limit", Integer.toString(limit));
        if (next != null) {
            url.addQueryParameter("continue", next);
        }
        return url.build();
    }

    HttpUrl watch(Kind<?> kind, Selection selection, String resourceVersion, long seconds) {
        return selected(kind, selection)
                .addQueryParameter("watch", "true")
                .addQueryParameter("allowWatchBookmarks", "true")
                .addQueryParameter("resourceVersion", resourceVersion)
                .addQueryParameter("timeoutSeconds", Long.toString(seconds))
                .build();
    }

    private HttpUrl.Builder selected(Kind<?> kind, Selection selection) {
        HttpUrl.Builder url = collection(kind, selection.namespace()).newBuilder();
        if (selection.labels() != null) {
            url.addQueryParameter("labelSelector", selection.labels());
        }
        if (selection.fields() != null) {
            url.addQueryParameter("fieldSelector", selection.fields());
        }
        return url;
    }
}
