package io.coil.simulation.api;

import io.coil.apiserver.lifecycle.Operations.Part;
import io.coil.apiserver.lifecycle.Operations.Propagation;
import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.kubernetes.client.common.KubernetesObject;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.function.Consumer;

/** The API as people and the world have it: each call is one step, and nothing befalls it. */
public final class DirectApi implements KubeApi {
    private final Server server;
    private final String who;

    public DirectApi(Server server, String who) {
        this.server = server;
        this.who = who;
    }

    @Override
    public <T extends KubernetesObject> Optional<T> get(
            Kind<T> kind, @Nullable String namespace, String name) {
        return server.get(kind, namespace, name);
    }

    @Override
    public <T extends KubernetesObject> String list(
            Kind<T> kind, Selection selection, Consumer<? super T> each) {
        String[] version = new String[1];
        server.list(kind, selection, version).forEach(each);
        return version[0];
    }

    @Override
    public <T extends KubernetesObject> Watching<T> watch(
            Kind<T> kind, Selection selection, String resourceVersion) {
        throw new UnsupportedOperationException("the world looks, it does not watch");
    }

    @Override
    public <T extends KubernetesObject> T create(Kind<T> kind, T object) {
        return server.create(who, Body.of(kind, object));
    }

    @Override
    public <T extends KubernetesObject> T replace(Kind<T> kind, T object) {
        return server.replace(who, Body.of(kind, object), Part.MAIN);
    }

    @Override
    public <T extends KubernetesObject> T replaceStatus(Kind<T> kind, T object) {
        return server.replace(who, Body.of(kind, object), Part.STATUS);
    }

    @Override
    public <T extends KubernetesObject> T patch(
            Kind<T> kind,
            @Nullable String namespace,
            String name,
            Preconditions must,
            String mergePatch) {
        return server.patch(who, kind, namespace, name, must, mergePatch);
    }

    @Override
    public <T extends KubernetesObject> Optional<T> delete(
            Kind<T> kind, @Nullable String namespace, String name, Preconditions must) {
        return server.delete(who, kind, namespace, name, must, Propagation.BACKGROUND);
    }

    /** With the propagation that the caller wants. */
    public <T extends KubernetesObject> Optional<T> delete(
            Kind<T> kind, String name, Propagation propagation) {
        return server.delete(who, kind, null, name, Preconditions.NONE, propagation);
    }
}
