package io.coil.apiserver.lifecycle;

import io.coil.apiserver.resource.ResourceRegistry;
import io.coil.apiserver.resource.ResourceType;
import io.coil.apiserver.resource.TypeKey;
import io.coil.apiserver.store.ChangeFeed;
import io.coil.apiserver.store.ExpiredException;
import io.coil.apiserver.store.ObjectKey;
import io.coil.apiserver.store.ObjectStore;
import io.coil.apiserver.store.Snapshot;
import io.coil.apiserver.store.StoredObject;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/** The operations on a store. */
public final class StoredOperations implements Operations {
    private final ObjectStore store;
    private final InstantSource clock;
    private final Creation creation;
    private final Update update;
    private final Removal removal;
    private final Listing listing;

    public StoredOperations(
            ResourceRegistry registry,
            ObjectStore store,
            Admission admission,
            InstantSource clock,
            RandomGenerator random) {
        this.store = store;
        this.clock = clock;
        Decoding decoding = new Decoding(registry);
        Identities identities = new Identities(clock, random);
        this.creation = new Creation(store, decoding, admission, identities);
        this.update = new Update(store, decoding, admission, identities);
        this.removal = new Removal(store, admission, identities);
        this.listing = new Listing(store);
    }

    @Override
    public ObjectNode get(ResourceType type, @Nullable String namespace, String name) {
        StoredObject found =
                store.get(
                        TypeKey.of(type), ObjectKey.of(type.namespaced() ? namespace : null, name));
        if (found == null) {
            throw ApiErrors.notFound(type, name);
        }
        return Outgoing.copy(type, found);
    }

    @Override
    public Page list(ResourceType type, @Nullable String namespace, ListQuery query) {
        return listing.list(type, namespace, query);
    }

    @Override
    public Watch watch(ResourceType type, @Nullable String namespace, WatchQuery query) {
        Selection selection =
                Selection.of(type, namespace, query.labelSelector(), query.fieldSelector());
        long asked = Listing.version(query.resourceVersion());
        boolean fromNow = asked == 0 || query.sendInitialEvents();
        if (asked > store.version()) {
            throw ApiErrors.tooLarge(asked, store.version());
        }
        try {
            if (!fromNow) {
                ChangeFeed feed = store.feed(TypeKey.of(type), asked, selection.interest());
                return new StoredWatch(type, selection, feed, clock, query.allowBookmarks());
            }
            Snapshot now = store.snapshot(TypeKey.of(type), selection.namespace());
            ChangeFeed feed = store.feed(TypeKey.of(type), now.version(), selection.interest());
            StoredWatch watch =
                    new StoredWatch(type, selection, feed, clock, query.allowBookmarks());
            for (StoredObject object : now.objects()) {
                if (selection.includes(object)) {
                    watch.begin(new WatchEvent("ADDED", Outgoing.shared(type, object)));
                }
            }
            if (query.sendInitialEvents()) {
                watch.begin(StoredWatch.bookmark(type, now.version(), true));
            }
            return watch;
        } catch (ExpiredException e) {
            throw ApiErrors.expired(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public ObjectNode create(
            ResourceType type, @Nullable String namespace, ObjectNode body, WriteQuery query) {
        return creation.create(type, namespace, body, query);
    }

    @Override
    public ObjectNode replace(
            ResourceType type,
            @Nullable String namespace,
            String name,
            Part part,
            ObjectNode body,
            WriteQuery query) {
        var target = new Update.Target(type, namespace, name, part, false);
        return update.apply(target, current -> body.deepCopy(), query);
    }

    @Override
    public ObjectNode patch(
            ResourceType type,
            @Nullable String namespace,
            String name,
            Part part,
            UnaryOperator<ObjectNode> change,
            WriteQuery query) {
        return update.apply(new Update.Target(type, namespace, name, part, true), change, query);
    }

    @Override
    public Deletion delete(
            ResourceType type, @Nullable String namespace, String name, DeleteQuery query) {
        return removal.delete(type, namespace, name, query);
    }

    @Override
    public List<ObjectNode> deleteCollection(
            ResourceType type, @Nullable String namespace, ListQuery which, DeleteQuery query) {
        List<ObjectNode> deleted = new ArrayList<>();
        for (ObjectNode object : list(type, namespace, which).items()) {
            var metadata = object.path("metadata");
            String home = metadata.path("namespace").asString("");
            try {
                deleted.add(
                        delete(
                                        type,
                                        home.isEmpty() ? null : home,
                                        metadata.path("name").asString(),
                                        query)
                                .object());
            } catch (ApiStatusException e) {
                if (e.code() != 404) {
                    throw e;
                }
            }
        }
        return deleted;
    }
}
