package io.coil.simulation.api;

import io.coil.apiserver.lifecycle.Operations;
import io.coil.apiserver.lifecycle.Operations.Part;
import io.coil.apiserver.lifecycle.Operations.Propagation;
import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.simulation.api.Call.Verb;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The seam of the API, as one life of one process has it. */
public final class LineApi implements KubeApi {
    private final Line line;
    private final Server server;
    private final String who;

    public LineApi(Line line, Server server) {
        this.line = line;
        this.server = server;
        this.who = line.actor().name();
    }

    @Override
    public <T extends KubernetesObject> Optional<T> get(
            Kind<T> kind, @Nullable String namespace, String name) {
        return line.call(
                call(Verb.GET, kind, namespace, name, Preconditions.NONE),
                () -> server.get(kind, namespace, name));
    }

    @Override
    public <T extends KubernetesObject> String list(
            Kind<T> kind, Selection selection, Consumer<? super T> each) {
        String[] version = new String[1];
        List<T> items =
                line.call(
                        call(Verb.LIST, kind, null, text(selection), Preconditions.NONE),
                        () -> server.list(kind, selection, version));
        items.forEach(each);
        return version[0];
    }

    @Override
    public <T extends KubernetesObject> Watching<T> watch(
            Kind<T> kind, Selection selection, String resourceVersion) {
        Operations.Watch opened =
                line.call(
                        call(Verb.WATCH, kind, null, text(selection), Preconditions.NONE),
                        () -> server.watch(kind, selection, resourceVersion));
        return LateWatch.open(server, line, kind, opened);
    }

    @Override
    public <T extends KubernetesObject> T create(Kind<T> kind, T object) {
        Body<T> body = Body.of(kind, object);
        return line.call(
                call(Verb.CREATE, kind, object.getMetadata(), Preconditions.NONE),
                () -> server.create(who, body));
    }

    @Override
    public <T extends KubernetesObject> T replace(Kind<T> kind, T object) {
        Body<T> body = Body.of(kind, object);
        return line.call(
                call(Verb.REPLACE, kind, object.getMetadata(), read(object)),
                () -> server.replace(who, body, Part.MAIN));
    }

    @Override
    public <T extends KubernetesObject> T replaceStatus(Kind<T> kind, T object) {
        Body<T> body = Body.of(kind, object);
        return line.call(
                call(Verb.STATUS, kind, object.getMetadata(), read(object)),
                () -> server.replace(who, body, Part.STATUS));
    }

    @Override
    public <T extends KubernetesObject> T patch(
            Kind<T> kind,
            @Nullable String namespace,
            String name,
            Preconditions must,
            String mergePatch) {
        return line.call(
                call(Verb.PATCH, kind, namespace, name, must),
                () -> server.patch(who, kind, namespace, name, must, mergePatch));
    }

    @Override
    public <T extends KubernetesObject> Optional<T> delete(
            Kind<T> kind, @Nullable String namespace, String name, Preconditions must) {
        return line.call(
                call(Verb.DELETE, kind, namespace, name, must),
                () -> server.delete(who, kind, namespace, name, must, Propagation.BACKGROUND));
    }

    private Call call(Verb verb, Kind<?> kind, V1ObjectMeta meta, Preconditions must) {
        return call(verb, kind, meta.getNamespace(), String.valueOf(meta.getName()), must);
    }

    private Call call(
            Verb verb, Kind<?> kind, @Nullable String namespace, String name, Preconditions must) {
        String object = namespace == null ? name : namespace + "/" + name;
        return new Call(who, 0, verb, kind, object, must);
    }

    private static Preconditions read(KubernetesObject object) {
        V1ObjectMeta meta = object.getMetadata();
        return new Preconditions(meta.getUid(), meta.getResourceVersion());
    }

    private static String text(Selection selection) {
        String text = selection.labels() == null ? selection.fields() : selection.labels();
        return text == null ? "*" : text;
    }
}
