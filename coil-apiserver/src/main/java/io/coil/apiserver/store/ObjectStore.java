package io.coil.apiserver.store;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.resource.TypeKey;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * All objects, with one number for every write. One lock, held for the length of a map operation
 * and, with a journal, of one write to its file; never while anybody is asked or waited for.
 *
 * <p>Writes are compare-and-swap: they name the state that they were made from, and do nothing when
 * that is no longer the current one.
 */
public final class ObjectStore {
    private final ReentrantLock lock = new ReentrantLock();
    private final Journal journal;
    private final int historyPerType;

    // guarded by lock
    private final Map<TypeKey, Shelf> shelves = new HashMap<>();
    private final List<CommitListener> listeners = new ArrayList<>();
    private long version;

    /** Changes up to this version were never in this process's memory. */
    private long startVersion;

    /**
     * @param historyPerType how many changes of a type are remembered for watches and for lists of
     *     an earlier version
     */
    public ObjectStore(Journal journal, int historyPerType) {
        this.journal = journal;
        this.historyPerType = historyPerType;
        this.version = 1;
        this.startVersion = 1;
    }

    /** To be called before the first write. */
    public void listen(CommitListener listener) {
        lock.lock();
        try {
            listeners.add(listener);
        } finally {
            lock.unlock();
        }
    }

    /** Puts back what was kept; to be called before the first write. */
    public void restore(Collection<RestoredObject> objects, long lastVersion) {
        lock.lock();
        try {
            version = Math.max(version, lastVersion);
            startVersion = version;
            for (RestoredObject restored : objects) {
                StoredObject object =
                        stored(
                                restored.type(),
                                restored.key(),
                                restored.version(),
                                restored.tree());
                Change change = new Change(restored.version(), null, object, false);
                shelf(restored.type()).restore(change);
                tell(change);
            }
        } finally {
            lock.unlock();
        }
    }

    /** An object as a journal kept it. */
    public record RestoredObject(TypeKey type, ObjectKey key, long version, ObjectNode tree) {}

    public long version() {
        lock.lock();
        try {
            return version;
        } finally {
            lock.unlock();
        }
    }

    public @Nullable StoredObject get(TypeKey type, ObjectKey key) {
        lock.lock();
        try {
            return shelf(type).get(key);
        } finally {
            lock.unlock();
        }
    }

    public Snapshot snapshot(TypeKey type, @Nullable String namespace) {
        lock.lock();
        try {
            return new Snapshot(shelf(type).current(namespace), version);
        } finally {
            lock.unlock();
        }
    }

    /** The objects as they were at that version. */
    public Snapshot snapshotAt(TypeKey type, @Nullable String namespace, long at)
            throws ExpiredException {
        lock.lock();
        try {
            return new Snapshot(shelf(type).asOf(namespace, at), at);
        } finally {
            lock.unlock();
        }
    }

    /** All objects of all types at one version. */
    public Snapshot everything() {
        lock.lock();
        try {
            List<StoredObject> all = new ArrayList<>();
            shelves.values().forEach(shelf -> all.addAll(shelf.current(null)));
            return new Snapshot(all, version);
        } finally {
            lock.unlock();
        }
    }

    /** Shows everything to somebody while nobody can write. */
    public void checkpoint(Consumer<Snapshot> keeper) {
        lock.lock();
        try {
            keeper.accept(everything());
        } finally {
            lock.unlock();
        }
    }

    public int count(TypeKey type) {
        lock.lock();
        try {
            return shelf(type).size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Stores {@code tree}, which belongs to the store from then on.
     *
     * @param expected the state that it was made from; null: it must not exist
     * @param guard checked under the lock; throws when the write must not happen
     * @return what was stored; null when {@code expected} is not the current state
     */
    public @Nullable StoredObject put(
            TypeKey type,
            ObjectKey key,
            @Nullable StoredObject expected,
            ObjectNode tree,
            Guard guard) {
        StoredObject object;
        lock.lock();
        try {
            Shelf shelf = shelf(type);
            if (shelf.get(key) != expected) {
                return null;
            }
            guard.check(this);
            object = stored(type, key, version + 1, tree);
            commit(shelf, new Change(version + 1, expected, object, false));
        } finally {
            lock.unlock();
        }
        journal.settle(object.version());
        return object;
    }

    /**
     * @param tree how the object looked last
     * @return the object as it was last, with the version of its deletion; null when {@code
     *     expected} is not the current state
     */
    public @Nullable StoredObject remove(StoredObject expected, ObjectNode tree) {
        StoredObject last;
        lock.lock();
        try {
            Shelf shelf = shelf(expected.type());
            if (shelf.get(expected.key()) != expected) {
                return null;
            }
            last = stored(expected.type(), expected.key(), version + 1, tree);
            commit(shelf, new Change(version + 1, expected, last, true));
        } finally {
            lock.unlock();
        }
        journal.settle(last.version());
        return last;
    }

    /** Changes of a type after a version, to be read as they come. */
    public ChangeFeed feed(TypeKey type, long after, Interest interest) throws ExpiredException {
        lock.lock();
        try {
            Shelf shelf = shelf(type);
            History history = shelf.history();
            ChangeFeed feed = new ChangeFeed(this, lock, shelf, interest, historyPerType);
            for (long at = history.after(after); at < history.next(); at++) {
                Change change = history.get(at);
                @Nullable StoredObject before = change.before();
                if (interest.includes(change.after())
                        || (before != null && interest.includes(before))) {
                    feed.add(change);
                }
            }
            shelf.readers().add(feed);
            return feed;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets the changes of a type: running watches and old lists expire. */
    public void expireHistory(TypeKey type) {
        lock.lock();
        try {
            shelf(type).history().expire();
            shelf(type).readers().expireAll();
        } finally {
            lock.unlock();
        }
    }

    /** Something that must hold at the moment of a write; asked under the lock. */
    @FunctionalInterface
    public interface Guard {
        Guard NONE = store -> {};

        void check(ObjectStore store);
    }

    private void commit(Shelf shelf, Change change) {
        journal.append(change);
        version = change.version();
        shelf.apply(change);
        tell(change);
    }

    private void tell(Change change) {
        for (CommitListener listener : listeners) {
            listener.committed(change);
        }
    }

    private static StoredObject stored(TypeKey type, ObjectKey key, long at, ObjectNode tree) {
        Json.metadata(tree).put("resourceVersion", Long.toString(at));
        return new StoredObject(type, key, at, tree);
    }

    private Shelf shelf(TypeKey type) {
        Shelf found = shelves.get(type);
        if (found == null) {
            found = new Shelf(new History(historyPerType, startVersion));
            shelves.put(type, found);
        }
        return found;
    }
}
