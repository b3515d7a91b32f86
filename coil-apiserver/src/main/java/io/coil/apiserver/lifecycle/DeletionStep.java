package io.coil.apiserver.lifecycle;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.Operations.DeleteQuery;
import io.coil.apiserver.lifecycle.Operations.Propagation;
import io.coil.apiserver.resource.ResourceType;
import io.coil.apiserver.store.StoredObject;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What a request to delete an object does to it now. */
sealed interface DeletionStep {
    /** It goes at once. */
    record Remove(ObjectNode last) implements DeletionStep {}

    /** It stays, marked, until a finalizer or a grace period ends. */
    record Mark(ObjectNode marked) implements DeletionStep {}

    /** It is on its way already; nothing changes. */
    record Nothing() implements DeletionStep {}

    String FOREGROUND = "foregroundDeletion";
    String ORPHAN = "orphan";
    long DEFAULT_POD_GRACE_SECONDS = 30;

    static DeletionStep decide(
            ResourceType type, StoredObject object, DeleteQuery query, Instant now) {
        long grace = grace(type, object.tree(), query.gracePeriodSeconds());
        ObjectNode next = object.copy();
        ObjectNode metadata = Json.metadata(next);
        boolean holdsAnew = propagate(metadata, query.propagation());
        if (grace == 0 && !Finality.held(type, next)) {
            return new Remove(next);
        }
        if (object.deleting()) {
            long before = metadata.path("deletionGracePeriodSeconds").asLong(0);
            if (grace >= before && !holdsAnew) {
                return new Nothing();
            }
            if (grace < before) {
                Instant asked = Instant.parse(metadata.path("deletionTimestamp").asString());
                mark(metadata, asked.minusSeconds(before), grace);
            }
            return new Mark(next);
        }
        mark(metadata, now, grace);
        if (metadata.has("generation")) {
            metadata.put("generation", metadata.path("generation").asLong() + 1);
        }
        if (Kinds.isNamespace(type)) {
            Json.child(next, "status").put("phase", "Terminating");
        }
        return new Mark(next);
    }

    private static void mark(ObjectNode metadata, Instant asked, long grace) {
        metadata.put("deletionTimestamp", Identities.text(asked.plusSeconds(grace)));
        metadata.put("deletionGracePeriodSeconds", grace);
    }

    /** Only pods end gracefully, and only those that somebody runs. */
    private static long grace(ResourceType type, JsonNode pod, @Nullable Integer asked) {
        if (!Kinds.isPod(type)) {
            return 0;
        }
        String phase = pod.path("status").path("phase").asString("");
        boolean runs =
                !pod.path("spec").path("nodeName").asString("").isEmpty()
                        && !Set.of("Succeeded", "Failed").contains(phase);
        if (!runs) {
            return 0;
        }
        long seconds =
                asked != null
                        ? asked
                        : pod.path("spec")
                                .path("terminationGracePeriodSeconds")
                                .asLong(DEFAULT_POD_GRACE_SECONDS);
        return seconds < 0 ? 1 : seconds;
    }

    /** Whether a finalizer came to it that was not there. */
    private static boolean propagate(ObjectNode metadata, @Nullable Propagation propagation) {
        if (propagation == null) {
            return false;
        }
        List<String> before = Json.texts(metadata.path("finalizers"));
        List<String> after = new ArrayList<>(before);
        after.removeAll(List.of(FOREGROUND, ORPHAN));
        switch (propagation) {
            case FOREGROUND -> after.add(FOREGROUND);
            case ORPHAN -> after.add(ORPHAN);
            case BACKGROUND -> {}
        }
        if (after.isEmpty()) {
            metadata.remove("finalizers");
        } else {
            metadata.set("finalizers", Json.array(after));
        }
        return !Set.copyOf(before).equals(Set.copyOf(after));
    }
}
