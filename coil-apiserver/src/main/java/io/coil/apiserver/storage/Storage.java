package io.coil.apiserver.storage;

import io.coil.apiserver.admission.HttpsTransport;
import io.coil.apiserver.admission.ServiceReference;
import io.coil.apiserver.admission.WebhookAdmission;
import io.coil.apiserver.admission.WebhookTransport;
import io.coil.apiserver.admission.Webhooks;
import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.Admission;
import io.coil.apiserver.lifecycle.Collector;
import io.coil.apiserver.lifecycle.Operations;
import io.coil.apiserver.lifecycle.StoredOperations;
import io.coil.apiserver.persistence.FileJournal;
import io.coil.apiserver.resource.ResourceRegistry;
import io.coil.apiserver.resource.TypeKey;
import io.coil.apiserver.store.Journal;
import io.coil.apiserver.store.ObjectKey;
import io.coil.apiserver.store.ObjectStore;
import io.coil.apiserver.store.StoredObject;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Everything behind the operations, put together. It has no thread of its own: somebody calls
 * {@link #maintain} now and then.
 */
public final class Storage implements AutoCloseable {
    /** Changes of one type that are kept for watches. */
    public static final int HISTORY_PER_TYPE = 10_000;

    private static final long REWRITE_AFTER_BYTES = 64L << 20;

    private final ResourceRegistry registry;
    private final ObjectStore store;
    private final StoredOperations operations;
    private final Collector collector;
    private final @Nullable FileJournal journal;
    private final Callouts callouts;

    private Storage(
            @Nullable FileJournal journal,
            InstantSource clock,
            RandomGenerator random,
            Callouts callouts) {
        this.registry = new ResourceRegistry();
        this.journal = journal;
        this.callouts = callouts;
        this.store = new ObjectStore(journal == null ? Journal.NONE : journal, HISTORY_PER_TYPE);
        store.listen(new Definitions(registry));
        Webhooks webhooks = new Webhooks();
        store.listen(webhooks);
        Admission admission =
                new WebhookAdmission(
                        webhooks, callouts.transport(), callouts.services(), this::namespaceLabels);
        this.operations = new StoredOperations(registry, store, admission, clock, random);
        this.collector = new Collector(registry, store, admission, clock, random);
        if (journal != null) {
            journal.restoreInto(store);
        }
    }

    /** A store that lives as long as the process. */
    public static Storage inMemory(InstantSource clock, RandomGenerator random) {
        return inMemory(clock, random, Callouts.none());
    }

    public static Storage inMemory(InstantSource clock, RandomGenerator random, Callouts callouts) {
        return new Storage(null, clock, random, callouts);
    }

    /**
     * How webhooks are reached.
     *
     * @param services where a Service that a configuration names is, its path included; empty:
     *     nowhere
     */
    public record Callouts(
            WebhookTransport transport, Function<ServiceReference, Optional<URI>> services) {
        /** Webhooks with a URL are called over HTTPS, Services are nowhere. */
        public static Callouts none() {
            return new Callouts(new HttpsTransport(), service -> Optional.empty());
        }
    }

    /**
     * A store that a later process finds again.
     *
     * @param sync whether a write waits for the disk; without, it survives the end of the process,
     *     but not that of the machine
     * @throws io.coil.apiserver.persistence.StateInUseException when somebody else has it
     */
    public static Storage inDirectory(
            Path directory, boolean sync, InstantSource clock, RandomGenerator random) {
        return inDirectory(directory, sync, clock, random, Callouts.none());
    }

    public static Storage inDirectory(
            Path directory,
            boolean sync,
            InstantSource clock,
            RandomGenerator random,
            Callouts callouts) {
        FileJournal journal = FileJournal.open(directory, sync);
        try {
            return new Storage(journal, clock, random, callouts);
        } catch (RuntimeException e) {
            journal.close();
            throw e;
        }
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

    public Collector collector() {
        return collector;
    }

    /** Makes the namespaces that every cluster has, where they are missing. */
    public void createSystemNamespaces() {
        new Bootstrap(registry, operations).namespaces();
    }

    /**
     * Creates the CustomResourceDefinitions of a YAML stream, and replaces those that are there and
     * differ.
     */
    public void applyDefinitions(InputStream yaml) {
        new Bootstrap(registry, operations).definitions(yaml);
    }

    /**
     * Collects garbage, and keeps the state file short.
     *
     * @return how many objects the collector changed; 0 means that it has nothing to do now
     */
    public int maintain() {
        int collected = collector.collectGarbage();
        if (journal != null && journal.bytesSinceSnapshot() > REWRITE_AFTER_BYTES) {
            store.checkpoint(journal::rewrite);
        }
        return collected;
    }

    private JsonNode namespaceLabels(String namespace) {
        StoredObject found =
                store.get(new TypeKey("", "namespaces"), ObjectKey.of(null, namespace));
        return found == null ? Json.object() : found.labels();
    }

    @Override
    public void close() {
        callouts.transport().close();
        if (journal != null) {
            journal.close();
        }
    }
}
