package io.coil.apiserver.lifecycle;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.Operations.DeleteQuery;
import io.coil.apiserver.lifecycle.Operations.Propagation;
import io.coil.apiserver.resource.ResourceRegistry;
import io.coil.apiserver.resource.ResourceType;
import io.coil.apiserver.resource.TypeKey;
import io.coil.apiserver.store.ObjectStore;
import io.coil.apiserver.store.StoredObject;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Deletes what has lost its owners, empties namespaces and definitions that are being deleted, and
 * lets their finalizers go. It runs when it is called; a call that was missed costs nothing but
 * time. As in Kubernetes, nothing depends on it but the objects that it collects: it may be off.
 */
public final class Collector {
    private static final TypeKey EVENTS = new TypeKey("", "events");
    private static final Duration EVENT_LIFE = Duration.ofHours(1);
    private static final Duration EXPIRY_INTERVAL = Duration.ofMinutes(1);

    private final ResourceRegistry registry;
    private final ObjectStore store;
    private final Removal removal;
    private final InstantSource clock;
    private final Ownership ownership = new Ownership();

    // guarded by this
    private Instant nextExpiry = Instant.MIN;

    /** Listens to the store from now on; to be made before the first write. */
    public Collector(
            ResourceRegistry registry,
            ObjectStore store,
            Admission admission,
            InstantSource clock,
            RandomGenerator random) {
        this.registry = registry;
        this.store = store;
        this.clock = clock;
        this.removal = new Removal(store, admission, new Identities(clock, random));
        store.listen(ownership);
    }

    /**
     * One round.
     *
     * @return how many objects were changed or deleted; 0 means that nothing is left to do now
     */
    public synchronized int collectGarbage() {
        int done = expireEvents(clock.instant());
        for (StoredObject object : ownership.takeDue()) {
            List<CollectionStep> steps =
                    new ArrayList<>(CollectionDecision.decide(ownership, object));
            if (Containers.isEnding(object)) {
                ownership.again(object);
                steps.addAll(Containers.decide(store, object));
            }
            for (CollectionStep step : steps) {
                if (carryOut(step)) {
                    done++;
                } else {
                    ownership.again(object);
                    ownership.again(step.object());
                }
            }
        }
        return done;
    }

    /** Rounds until nothing is left to do; at most so many. */
    public int collectAll(int mostRounds) {
        int total = 0;
        for (int round = 0; round < mostRounds; round++) {
            int done = collectGarbage();
            if (done == 0) {
                break;
            }
            total += done;
        }
        return total;
    }

    /** Events are kept for an hour after they were last seen. */
    private int expireEvents(Instant now) {
        if (now.isBefore(nextExpiry)) {
            return 0;
        }
        nextExpiry = now.plus(EXPIRY_INTERVAL);
        int expired = 0;
        for (StoredObject object : store.snapshot(EVENTS, null).objects()) {
            if (lastSeen(object).plus(EVENT_LIFE).isBefore(now)) {
                expired += store.remove(object, object.copy()) == null ? 0 : 1;
            }
        }
        return expired;
    }

    private static Instant lastSeen(StoredObject event) {
        for (String field : List.of("lastTimestamp", "eventTime")) {
            String text = Json.text(event.tree(), field);
            if (text != null) {
                try {
                    return OffsetDateTime.parse(text).toInstant();
                } catch (DateTimeParseException e) {
                    // Written by somebody careless: its creation tells as well.
                }
            }
        }
        return Instant.parse(event.tree().path("metadata").path("creationTimestamp").asString());
    }

    private boolean carryOut(CollectionStep step) {
        return switch (step) {
            case CollectionStep.Delete(var object, var propagation) -> delete(object, propagation);
            case CollectionStep.Rewrite(var object, var tree) -> {
                ResourceType type = typeOf(object);
                if (type != null && Finality.complete(type, tree)) {
                    yield store.remove(object, tree) != null;
                }
                yield store.put(object.type(), object.key(), object, tree, ObjectStore.Guard.NONE)
                        != null;
            }
        };
    }

    private boolean delete(StoredObject object, @Nullable Propagation propagation) {
        ResourceType type = typeOf(object);
        if (type == null) {
            return store.remove(object, object.copy()) != null;
        }
        List<String> warnings = new ArrayList<>();
        var query =
                new DeleteQuery(
                        "system:serviceaccount:kube-system:generic-garbage-collector",
                        List.of("system:serviceaccounts", "system:authenticated"),
                        false,
                        object.uid(),
                        Long.toString(object.version()),
                        null,
                        propagation,
                        warnings);
        String namespace = object.namespace().isEmpty() ? null : object.namespace();
        try {
            long before = store.version();
            removal.delete(type, namespace, object.name(), query);
            return store.version() != before;
        } catch (ApiStatusException e) {
            // Gone, replaced, or refused by admission: the next round looks again.
            return false;
        }
    }

    private @Nullable ResourceType typeOf(StoredObject object) {
        return registry.find(object.type()).orElse(null);
    }
}
