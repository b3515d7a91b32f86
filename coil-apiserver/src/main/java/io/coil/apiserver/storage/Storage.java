package io.coil.apiserver.storage;

import io.coil.apiserver.lifecycle.Admission;
import io.coil.apiserver.lifecycle.Operations;
import io.coil.apiserver.lifecycle.StoredOperations;
import io.coil.apiserver.resource.ResourceRegistry;
import io.coil.apiserver.store.Journal;
import io.coil.apiserver.store.ObjectStore;

import java.time.InstantSource;
import java.util.random.RandomGenerator;

/** Everything behind the operations, put together. */
public final class Storage implements AutoCloseable {
    /** Changes of one type that are kept for watches. */
    public static final int HISTORY_PER_TYPE = 10_000;

    private final ResourceRegistry registry;
    private final ObjectStore store;
    private final StoredOperations operations;

    private Storage(ResourceRegistry registry, ObjectStore store, StoredOperations operations) {
        this.registry = registry;
        this.store = store;
        this.operations = operations;
    }

    /** A store that lives as long as the process. */
    public static Storage inMemory(InstantSource clock, RandomGenerator random) {
        ResourceRegistry registry = new ResourceRegistry();
        ObjectStore store = new ObjectStore(Journal.NONE, HISTORY_PER_TYPE);
        store.listen(new Definitions(registry));
        return new Storage(
                registry,
                store,
                new StoredOperations(registry, store, Admission.NONE, clock, random));
    }

    public ResourceRegistry registry() {
        return registry;
    }

    public ObjectStore store() {
        return store;
    }

    public Operations operations() {
        return operations;
    }

    @Override
    public void close() {}
}
