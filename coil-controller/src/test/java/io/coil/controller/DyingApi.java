package io.coil.controller;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.kubernetes.client.common.KubernetesObject;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The API as a process sees it that dies at its n-th write of a request or block: nothing of what
 * it does after that reaches the server.
 */
final class DyingApi implements KubeApi {
    private final KubeApi api;
    private final boolean lastTakesEffect;
    private final AtomicInteger left;

    DyingApi(KubeApi api, int diesAtWrite, boolean lastTakesEffect) {
        this.api = api;
        this.lastTakesEffect = lastTakesEffect;
        this.left = new AtomicInteger(diesAtWrite);
    }

    boolean isDead() {
        return left.get() <= 0;
    }

    private <R> R write(Kind<?> kind, Supplier<R> call) {
        boolean counts = kind.equals(Kinds.BLOCKS) || kind.equals(Kinds.REQUESTS);
        int remaining = counts ? left.decrementAndGet() : left.get();
        if (remaining > 0) {
            return call.get();
        }
        if (counts && remaining == 0 && lastTakesEffect) {
            R _ = call.get();
        }
        throw noAnswer();
    }

    private <R> R read(Supplier<R> call) {
        if (isDead()) {
            throw noAnswer();
        }
        return call.get();
    }

    private static ApiFailure noAnswer() {
        return new ApiFailure.Transient(
                0, ApiFailure.NO_ANSWER, "no answer: the process is dead", Duration.ZERO, null);
    }

    @Override
    public <T extends KubernetesObject> Optional<T> get(
            Kind<T> kind, @Nullable String namespace, String name) {
        return read(() -> api.get(kind, namespace, name));
    }

    @Override
    public <T extends KubernetesObject> String list(
            Kind<T> kind, Selection selection, Consumer<? super T> each) {
        return read(() -> api.list(kind, selection, each));
    }

    @Override
    public <T extends KubernetesObject> Watching<T> watch(
            Kind<T> kind, Selection selection, String resourceVersion) {
        return read(() -> api.watch(kind, selection, resourceVersion));
    }

    @Override
    public <T extends KubernetesObject> T create(Kind<T> kind, T object) {
        return write(kind, () -> api.create(kind, object));
    }

    @Override
    public <T extends KubernetesObject> T replace(Kind<T> kind, T object) {
        return write(kind, () -> api.replace(kind, object));
    }

    @Override
    public <T extends KubernetesObject> T replaceStatus(Kind<T> kind, T object) {
        return write(kind, () -> api.replaceStatus(kind, object));
    }

    @Override
    public <T extends KubernetesObject> T patch(
            Kind<T> kind,
            @Nullable String namespace,
            String name,
            Preconditions must,
            String mergePatch) {
        return write(kind, () -> api.patch(kind, namespace, name, must, mergePatch));
    }

    @Override
    public <T extends KubernetesObject> Optional<T> delete(
            Kind<T> kind, @Nullable String namespace, String name, Preconditions must) {
        return write(kind, () -> api.delete(kind, namespace, name, must));
    }
}
