package io.coil.kubernetes.api;

import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.common.KubernetesObject;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Another one, and somebody who is told of each call when it has ended. */
public final class CountedKubeApi implements KubeApi {
    private final KubeApi api;
    private final Timeline timeline;
    private final Told told;

    /** Is told of calls. Must not block, and not throw. */
    @FunctionalInterface
    public interface Told {
        /**
         * @param verb get, list, watch, create, replace, replace-status, patch or delete
         * @param resource plural
         * @param outcome done, or the kind of failure: transient, stale, rejected
         */
        void ended(String verb, String resource, String outcome, long nanos);
    }

    public CountedKubeApi(KubeApi api, Timeline timeline, Told told) {
        this.api = api;
        this.timeline = timeline;
        this.told = told;
    }

    private <R> R counted(String verb, Kind<?> kind, Supplier<R> call) {
        long begin = timeline.nanos();
        String outcome = "done";
        try {
            return call.get();
        } catch (ApiFailure e) {
            outcome = e.getClass().getSimpleName().toLowerCase(Locale.ROOT);
            throw e;
        } finally {
            told.ended(verb, kind.plural(), outcome, timeline.nanos() - begin);
        }
    }

    @Override
    public <T extends KubernetesObject> Optional<T> get(
            Kind<T> kind, @Nullable String namespace, String name) {
        return counted("get", kind, () -> api.get(kind, namespace, name));
    }

    @Override
    public <T extends KubernetesObject> String list(
            Kind<T> kind, Selection selection, Consumer<? super T> each) {
        return counted("list", kind, () -> api.list(kind, selection, each));
    }

    /** Counts the opening alone: how long a watch is open says nothing. */
    @Override
    public <T extends KubernetesObject> Watching<T> watch(
            Kind<T> kind, Selection selection, String resourceVersion) {
        return counted("watch", kind, () -> api.watch(kind, selection, resourceVersion));
    }

    @Override
    public <T extends KubernetesObject> T create(Kind<T> kind, T object) {
        return counted("create", kind, () -> api.create(kind, object));
    }

    @Override
    public <T extends KubernetesObject> T replace(Kind<T> kind, T object) {
        return counted("replace", kind, () -> api.replace(kind, object));
    }

    @Override
    public <T extends KubernetesObject> T replaceStatus(Kind<T> kind, T object) {
        return counted("replace-status", kind, () -> api.replaceStatus(kind, object));
    }

    @Override
    public <T extends KubernetesObject> T patch(
            Kind<T> kind,
            @Nullable String namespace,
            String name,
            Preconditions must,
            String mergePatch) {
        return counted("patch", kind, () -> api.patch(kind, namespace, name, must, mergePatch));
    }

    @Override
    public <T extends KubernetesObject> Optional<T> delete(
            Kind<T> kind, @Nullable String namespace, String name, Preconditions must) {
        return counted("delete", kind, () -> api.delete(kind, namespace, name, must));
    }
}
