package io.coil.bench.api;

import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.kubernetes.client.common.KubernetesObject;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Counts the calls that pass through it, failed ones too. */
public final class CountingApi implements KubeApi {
    private final KubeApi api;
    private final Map<Call, LongAdder> counts = new ConcurrentHashMap<>();

    /** One sort of call: {@code verb} is Kubernetes' own, {@code resource} with its subresource. */
    public record Call(String verb, String resource) implements Comparable<Call> {
        public boolean write() {
            return switch (verb) {
                case "get", "list", "watch" -> false;
                default -> true;
            };
        }

        @Override
        public int compareTo(Call other) {
            return toString().compareTo(other.toString());
        }

        @Override
        public String toString() {
            return verb + " " + resource;
        }
    }

    public CountingApi(KubeApi api) {
        this.api = api;
    }

    /** Calls since the beginning, or since {@link #reset}, by sort. */
    public Map<Call, Long> counts() {
        Map<Call, Long> copy = new TreeMap<>();
        counts.forEach((call, count) -> copy.put(call, count.sum()));
        return copy;
    }

    public void reset() {
        counts.clear();
    }

    private void count(String verb, Kind<?> kind) {
        count(verb, kind.plural());
    }

    private void count(String verb, String resource) {
        counts.computeIfAbsent(new Call(verb, resource), c -> new LongAdder()).increment();
    }

    @Override
    public <T extends KubernetesObject> Optional<T> get(
            Kind<T> kind, @Nullable String namespace, String name) {
        count("get", kind);
        return api.get(kind, namespace, name);
    }

    @Override
    public <T extends KubernetesObject> String list(
            Kind<T> kind, Selection selection, Consumer<? super T> each) {
        count("list", kind);
        return api.list(kind, selection, each);
    }

    @Override
    public <T extends KubernetesObject> Watching<T> watch(
            Kind<T> kind, Selection selection, String resourceVersion) {
        count("watch", kind);
        return api.watch(kind, selection, resourceVersion);
    }

    @Override
    public <T extends KubernetesObject> T create(Kind<T> kind, T object) {
        count("create", kind);
        return api.create(kind, object);
    }

    @Override
    public <T extends KubernetesObject> T replace(Kind<T> kind, T object) {
        count("update", kind);
        return api.replace(kind, object);
    }

    @Override
    public <T extends KubernetesObject> T replaceStatus(Kind<T> kind, T object) {
        count("update", kind.plural() + "/status");
        return api.replaceStatus(kind, object);
    }

    @Override
    public <T extends KubernetesObject> T patch(
            Kind<T> kind,
            @Nullable String namespace,
            String name,
            Preconditions must,
            String mergePatch) {
        count("patch", kind);
        return api.patch(kind, namespace, name, must, mergePatch);
    }

    @Override
    public <T extends KubernetesObject> Optional<T> delete(
            Kind<T> kind, @Nullable String namespace, String name, Preconditions must) {
        count("delete", kind);
        return api.delete(kind, namespace, name, must);
    }
}
