package io.coil.kubernetes.client;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.Json;
import io.coil.kubernetes.resource.Meta;
import io.kubernetes.client.common.KubernetesObject;

import okhttp3.HttpUrl;

import org.jspecify.annotations.Nullable;

import java.io.Reader;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * The API by way of the official Kubernetes client: its configuration, identity and TLS; the
 * requests are made here, the same way for every kind.
 *
 * <p>Safe for use by many tasks. A call from a virtual thread ends when that thread is interrupted:
 * a {@link ApiFailure.Transient} with reason {@link ApiFailure#INTERRUPTED}, the interrupt still
 * set.
 */
public final class ClientKubeApi implements KubeApi, AutoCloseable {
    private static final int PAGE = 500;

    private final Http http;
    private final Urls urls;
    private final long watchSeconds;
    private final Map<Kind<?>, TypeMeta<?>> metas = new ConcurrentHashMap<>();

    private ClientKubeApi(Http http, long watchSeconds) {
        this.http = http;
        this.urls = new Urls(http.base());
        this.watchSeconds = watchSeconds;
    }

    /** Connects when first used; {@link java.io.UncheckedIOException} if a file is not there. */
    public static ClientKubeApi create(ClientSettings settings) {
        return create(settings, warning -> {});
    }

    /**
     * The same, and hands on what the server warns of: one sentence each, as admission wrote it.
     *
     * @param warnings called by the task whose call was answered with it
     */
    public static ClientKubeApi create(ClientSettings settings, Consumer<String> warnings) {
        Http http = new Http(Connection.open(settings), settings, warnings);
        return new ClientKubeApi(http, Math.max(1, settings.watchLife().toSeconds()));
    }

    @Override
    public <T extends KubernetesObject> Optional<T> get(
            Kind<T> kind, @Nullable String namespace, String name) {
        try {
            return Optional.of(exchange(kind, Ask.get(urls.object(kind, namespace, name))));
        } catch (ApiFailure.Stale e) {
            if (e.notFound()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public <T extends KubernetesObject> String list(
            Kind<T> kind, Selection selection, Consumer<? super T> each) {
        String next = null;
        Page<T> page;
        do {
            Ask ask = Ask.get(urls.page(kind, selection, PAGE, next));
            page = http.exchange(ask, body -> Page.read(body, meta(kind), kind.type()));
            page.items().forEach(each);
            next = page.next();
        } while (next != null);
        return page.resourceVersion();
    }

    @Override
    public <T extends KubernetesObject> Watching<T> watch(
            Kind<T> kind, Selection selection, String resourceVersion) {
        double life = watchSeconds * (0.8 + 0.4 * ThreadLocalRandom.current().nextDouble());
        long seconds = Math.max(1, Math.round(life));
        Ask ask = Ask.get(urls.watch(kind, selection, resourceVersion, seconds));
        return new StreamedWatch<>(ask, http.stream(ask), new EventText<>(kind, meta(kind)));
    }

    @Override
    public <T extends KubernetesObject> T create(Kind<T> kind, T object) {
        HttpUrl url = urls.collection(kind, object.getMetadata().getNamespace());
        return exchange(kind, Ask.send("POST", url, Ask.JSON, meta(kind).text(object)));
    }

    @Override
    public <T extends KubernetesObject> T replace(Kind<T> kind, T object) {
        HttpUrl url =
                urls.object(
                        kind, object.getMetadata().getNamespace(), Meta.name(object.getMetadata()));
        return exchange(kind, Ask.send("PUT", url, Ask.JSON, meta(kind).text(object)));
    }

    @Override
    public <T extends KubernetesObject> T replaceStatus(Kind<T> kind, T object) {
        String namespace = object.getMetadata().getNamespace();
        String name = Meta.name(object.getMetadata());
        HttpUrl url = urls.status(kind, namespace, name);
        try {
            return exchange(kind, Ask.send("PUT", url, Ask.JSON, meta(kind).text(object)));
        } catch (ApiFailure e) {
            throw e.code() == 404 ? missing(kind, object, e) : e;
        }
    }

    /**
     * Kubernetes answers alike, details included, whether the object or the subresource is missing.
     * Only the object tells: a UID that was deleted does not come back.
     */
    private <T extends KubernetesObject> ApiFailure missing(
            Kind<T> kind, T object, ApiFailure notFound) {
        String name = Meta.name(object.getMetadata());
        Optional<T> there = get(kind, object.getMetadata().getNamespace(), name);
        String uid = object.getMetadata().getUid();
        boolean same =
                there.isPresent()
                        && (uid == null || Objects.equals(uid, there.get().getMetadata().getUid()));
        if (!same) {
            return new ApiFailure.Stale(404, "NotFound", String.valueOf(notFound.getMessage()));
        }
        return new ApiFailure.Stale(
                404,
                ApiFailure.STATUS_MISSING,
                "%s has no status subresource; apply Coil for Java's definition of it"
                        .formatted(kind));
    }

    @Override
    public <T extends KubernetesObject> T patch(
            Kind<T> kind,
            @Nullable String namespace,
            String name,
            Preconditions must,
            String mergePatch) {
        JsonObject patch = JsonParser.parseString(mergePatch).getAsJsonObject();
        if (must.uid() != null || must.resourceVersion() != null) {
            if (!patch.has("metadata")) {
                patch.add("metadata", new JsonObject());
            }
            conditions(patch.getAsJsonObject("metadata"), must);
        }
        HttpUrl url = urls.object(kind, namespace, name);
        return exchange(kind, Ask.send("PATCH", url, Ask.MERGE_PATCH, patch.toString()));
    }

    @Override
    public <T extends KubernetesObject> Optional<T> delete(
            Kind<T> kind, @Nullable String namespace, String name, Preconditions must) {
        JsonObject options = new JsonObject();
        options.addProperty("apiVersion", "v1");
        options.addProperty("kind", "DeleteOptions");
        options.addProperty("propagationPolicy", "Background");
        JsonObject preconditions = new JsonObject();
        conditions(preconditions, must);
        options.add("preconditions", preconditions);
        HttpUrl url = urls.object(kind, namespace, name);
        return http.exchange(
                Ask.send("DELETE", url, Ask.JSON, options.toString()), body -> held(kind, body));
    }

    /** The answer is the object if it is still there, else a Status. */
    private <T extends KubernetesObject> Optional<T> held(Kind<T> kind, Reader body) {
        JsonObject answer = JsonParser.parseReader(body).getAsJsonObject();
        JsonElement said = answer.get("kind");
        if (said != null && said.getAsString().equals("Status")) {
            return Optional.empty();
        }
        T read = Json.GSON.fromJson(answer, kind.type());
        return Meta.finalizers(read.getMetadata()).isEmpty()
                ? Optional.empty()
                : Optional.of(meta(kind).said(read));
    }

    private static void conditions(JsonObject into, Preconditions must) {
        if (must.uid() != null) {
            into.addProperty("uid", must.uid());
        }
        if (must.resourceVersion() != null) {
            into.addProperty("resourceVersion", must.resourceVersion());
        }
    }

    private <T extends KubernetesObject> T exchange(Kind<T> kind, Ask ask) {
        return http.exchange(ask, body -> object(kind, body));
    }

    private <T extends KubernetesObject> T object(Kind<T> kind, Reader body) {
        T read = Json.GSON.fromJson(body, kind.type());
        if (read == null) {
            throw new JsonParseException("an empty answer");
        }
        return meta(kind).said(read);
    }

    @SuppressWarnings("unchecked")
    private <T extends KubernetesObject> TypeMeta<T> meta(Kind<T> kind) {
        return (TypeMeta<T>) metas.computeIfAbsent(kind, TypeMeta::new);
    }

    /** Ends every running call and watch. */
    @Override
    public void close() {
        http.close();
    }
}
