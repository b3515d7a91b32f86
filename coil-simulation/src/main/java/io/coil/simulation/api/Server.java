package io.coil.simulation.api;

import io.coil.apiserver.admission.WebhookTransport;
import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.ApiStatusException;
import io.coil.apiserver.lifecycle.Operations;
import io.coil.apiserver.lifecycle.Operations.DeleteQuery;
import io.coil.apiserver.lifecycle.Operations.FieldValidation;
import io.coil.apiserver.lifecycle.Operations.ListQuery;
import io.coil.apiserver.lifecycle.Operations.Page;
import io.coil.apiserver.lifecycle.Operations.Part;
import io.coil.apiserver.lifecycle.Operations.Propagation;
import io.coil.apiserver.lifecycle.Operations.WatchQuery;
import io.coil.apiserver.lifecycle.Operations.WriteQuery;
import io.coil.apiserver.patch.MergePatch;
import io.coil.apiserver.resource.ResourceType;
import io.coil.apiserver.resource.TypeKey;
import io.coil.apiserver.storage.Storage;
import io.coil.apiserver.store.CommitListener;
import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.kubernetes.client.common.KubernetesObject;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The API server of a run: every method takes effect at once, within one step. What is between it
 * and its callers (time, loss, lateness) is theirs.
 */
public final class Server {
    private final Storage storage;
    private final Operations operations;
    private final Types types;
    private final Followers followers;
    private String writer = "nobody";
    private long calls;

    /**
     * A server with our definitions, and our webhooks.
     *
     * @param webhooks how those are reached, at {@code https://webhook} and the path of each
     * @param listener hears of every write, within the step that makes it
     */
    public Server(
            InstantSource clock,
            RandomGenerator random,
            WebhookTransport webhooks,
            CommitListener listener) {
        this.storage =
                Storage.inMemory(
                        clock,
                        random,
                        new Storage.Callouts(
                                webhooks,
                                s -> Optional.of(URI.create("https://webhook" + s.path()))));
        this.operations = storage.operations();
        this.types = new Types(storage.registry());
        this.followers = new Followers(types);
        storage.store().listen(change -> followers.changed(change.after().type()));
        storage.store().listen(listener);
        storage.createSystemNamespaces();
        Definitions.create(storage);
        WebhookConfigurations.create(storage);
        followers.forget();
    }

    /** Who makes the present write. */
    public String writer() {
        return writer;
    }

    public long version() {
        return storage.store().version();
    }

    /** Calls that took effect or were refused. */
    public long calls() {
        return calls;
    }

    /** One round of Kubernetes' own collector. */
    public int collect() {
        writer = "kubernetes";
        int done = storage.maintain();
        followers.flush();
        return done;
    }

    /** Watches and lists of old versions of that kind expire. */
    public void forgetHistory(Kind<?> kind) {
        storage.store().expireHistory(TypeKey.of(type(kind)));
        followers.changed(TypeKey.of(type(kind)));
        followers.flush();
    }

    <T extends KubernetesObject> Optional<T> get(
            Kind<T> kind, @Nullable String namespace, String name) {
        calls++;
        try {
            return Optional.of(read(kind, operations.get(type(kind), namespace, name)));
        } catch (ApiStatusException e) {
            if (e.code() == 404) {
                return Optional.empty();
            }
            throw Refusals.of(e);
        }
    }

    /** The items as text: whoever is given them makes them its own objects. */
    <T extends KubernetesObject> List<T> list(Kind<T> kind, Selection selection, String[] version) {
        calls++;
        try {
            Page page =
                    operations.list(
                            type(kind),
                            selection.namespace(),
                            new ListQuery(
                                    selection.labels(), selection.fields(), 0, null, null, null));
            version[0] = page.resourceVersion();
            List<T> items = new ArrayList<>();
            for (ObjectNode item : page.items()) {
                items.add(read(kind, item));
            }
            return items;
        } catch (ApiStatusException e) {
            throw Refusals.of(e);
        }
    }

    <T extends KubernetesObject> Operations.Watch watch(
            Kind<T> kind, Selection selection, String version) {
        calls++;
        try {
            return operations.watch(
                    type(kind),
                    selection.namespace(),
                    new WatchQuery(selection.labels(), selection.fields(), version, false, false));
        } catch (ApiStatusException e) {
            throw Refusals.of(e);
        }
    }

    void follow(LateWatch<?> watch) {
        followers.add(watch);
    }

    void leave(LateWatch<?> watch) {
        followers.remove(watch);
    }

    /** The watches that processes have open. */
    public List<LateWatch<?>> watches() {
        return followers.all();
    }

    <T extends KubernetesObject> T create(String who, Body<T> body) {
        return write(
                who,
                body.kind(),
                query ->
                        operations.create(
                                type(body.kind()),
                                body.namespace(),
                                body.tree().deepCopy(),
                                query));
    }

    <T extends KubernetesObject> T replace(String who, Body<T> body, Part part) {
        return write(
                who,
                body.kind(),
                query ->
                        operations.replace(
                                type(body.kind()),
                                body.namespace(),
                                body.name(),
                                part,
                                body.tree().deepCopy(),
                                query));
    }

    <T extends KubernetesObject> T patch(
            String who,
            Kind<T> kind,
            @Nullable String namespace,
            String name,
            Preconditions must,
            String mergePatch) {
        ObjectNode patch = (ObjectNode) Json.MAPPER.readTree(mergePatch);
        conditions(Json.metadata(patch), must);
        return write(
                who,
                kind,
                query ->
                        operations.patch(
                                type(kind),
                                namespace,
                                name,
                                Part.MAIN,
                                current -> (ObjectNode) MergePatch.apply(current, patch),
                                query));
    }

    private static void conditions(ObjectNode into, Preconditions must) {
        if (must.uid() != null) {
            into.put("uid", must.uid());
        }
        if (must.resourceVersion() != null) {
            into.put("resourceVersion", must.resourceVersion());
        }
    }

    /** What stands there after it, held by finalizers; empty if nothing does. */
    <T extends KubernetesObject> Optional<T> delete(
            String who,
            Kind<T> kind,
            @Nullable String namespace,
            String name,
            Preconditions must,
            Propagation propagation) {
        calls++;
        writer = who;
        try {
            Operations.Deletion deletion =
                    operations.delete(
                            type(kind),
                            namespace,
                            name,
                            new DeleteQuery(
                                    who,
                                    List.of("system:masters"),
                                    false,
                                    must.uid(),
                                    must.resourceVersion(),
                                    null,
                                    propagation,
                                    new ArrayList<>()));
            return deletion.gone() ? Optional.empty() : Optional.of(read(kind, deletion.object()));
        } catch (ApiStatusException e) {
            throw Refusals.of(e);
        } finally {
            followers.flush();
        }
    }

    @FunctionalInterface
    private interface Writing {
        ObjectNode by(WriteQuery query);
    }

    private <T extends KubernetesObject> T write(String who, Kind<T> kind, Writing writing) {
        calls++;
        writer = who;
        WriteQuery query =
                new WriteQuery(
                        who,
                        List.of("system:masters"),
                        false,
                        FieldValidation.IGNORE,
                        null,
                        new ArrayList<>());
        try {
            return read(kind, writing.by(query));
        } catch (ApiStatusException e) {
            throw Refusals.of(e);
        } finally {
            followers.flush();
        }
    }

    private ResourceType type(Kind<?> kind) {
        return types.of(kind);
    }

    static <T extends KubernetesObject> T read(Kind<T> kind, JsonNode tree) {
        return io.coil.kubernetes.resource.Json.GSON.fromJson(tree.toString(), kind.type());
    }
}
