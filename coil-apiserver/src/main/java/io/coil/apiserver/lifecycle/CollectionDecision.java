package io.coil.apiserver.lifecycle;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.CollectionStep.Delete;
import io.coil.apiserver.lifecycle.CollectionStep.Rewrite;
import io.coil.apiserver.lifecycle.Operations.Propagation;
import io.coil.apiserver.store.StoredObject;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** What is to be done about one object, seen from its owners and its dependants. */
final class CollectionDecision {
    private final Ownership ownership;
    private final List<CollectionStep> steps = new ArrayList<>();

    private CollectionDecision(Ownership ownership) {
        this.ownership = ownership;
    }

    static List<CollectionStep> decide(Ownership ownership, StoredObject object) {
        CollectionDecision decision = new CollectionDecision(ownership);
        if (object.deleting()) {
            decision.release(object);
        }
        if (!object.owners().isEmpty()) {
            decision.judge(object);
        }
        return decision.steps;
    }

    /** Ends what keeps an object that is being deleted, when its time has come. */
    private void release(StoredObject object) {
        List<String> finalizers = object.finalizers();
        if (finalizers.contains(DeletionStep.ORPHAN)) {
            orphan(object);
        } else if (finalizers.contains(DeletionStep.FOREGROUND)) {
            boolean blocked =
                    ownership.dependantsOf(object).stream().anyMatch(d -> blocks(d, object.uid()));
            if (!blocked) {
                steps.add(withoutFinalizer(object, DeletionStep.FOREGROUND));
            }
        }
    }

    /** First the dependants forget it, then it goes. */
    private void orphan(StoredObject owner) {
        List<StoredObject> left = ownership.dependantsOf(owner);
        for (StoredObject dependant : left) {
            steps.add(withoutOwners(dependant, uid -> uid.equals(owner.uid())));
        }
        if (left.isEmpty()) {
            steps.add(withoutFinalizer(owner, DeletionStep.ORPHAN));
        }
    }

    private void judge(StoredObject object) {
        boolean solid = false;
        boolean waiting = false;
        boolean useless = false;
        for (String uid : object.owners()) {
            @Nullable StoredObject owner = ownership.get(uid);
            if (owner != null && unresolvable(owner, object)) {
                solid = true;
            } else if (owner == null || !Ownership.owns(owner, object)) {
                useless = true;
            } else if (waits(owner)) {
                waiting = true;
            } else {
                solid = true;
            }
        }
        if (solid && (useless || waiting)) {
            steps.add(withoutOwners(object, uid -> isNotSolid(object, uid)));
        } else if (!solid && !object.deleting()) {
            boolean chain = waiting && !ownership.dependantsOf(object).isEmpty();
            steps.add(new Delete(object, chain ? Propagation.FOREGROUND : null));
        }
    }

    private boolean isNotSolid(StoredObject object, String uid) {
        @Nullable StoredObject owner = ownership.get(uid);
        if (owner != null && unresolvable(owner, object)) {
            return false;
        }
        return owner == null || !Ownership.owns(owner, object) || waits(owner);
    }

    /** Kubernetes cannot resolve such a reference, and leaves the object alone. */
    private static boolean unresolvable(StoredObject owner, StoredObject dependant) {
        return !owner.namespace().isEmpty() && dependant.namespace().isEmpty();
    }

    /** Whether an owner only waits for its dependants to go. */
    private static boolean waits(StoredObject owner) {
        return owner.deleting() && owner.finalizers().contains(DeletionStep.FOREGROUND);
    }

    private static boolean blocks(StoredObject dependant, String owner) {
        for (JsonNode reference : dependant.tree().path("metadata").path("ownerReferences")) {
            if (owner.equals(Json.text(reference, "uid"))
                    && reference.path("blockOwnerDeletion").asBoolean(false)) {
                return true;
            }
        }
        return false;
    }

    private static Rewrite withoutOwners(StoredObject object, Predicate<String> drop) {
        ObjectNode tree = object.copy();
        ArrayNode kept = tree.arrayNode();
        for (JsonNode reference : Json.metadata(tree).path("ownerReferences")) {
            if (!drop.test(reference.path("uid").asString(""))) {
                kept.add(reference);
            }
        }
        if (kept.isEmpty()) {
            Json.metadata(tree).remove("ownerReferences");
        } else {
            Json.metadata(tree).set("ownerReferences", kept);
        }
        return new Rewrite(object, tree);
    }

    static Rewrite withoutFinalizer(StoredObject object, String finalizer) {
        List<String> left = new ArrayList<>(object.finalizers());
        left.remove(finalizer);
        ObjectNode tree = object.copy();
        if (left.isEmpty()) {
            Json.metadata(tree).remove("finalizers");
        } else {
            Json.metadata(tree).set("finalizers", Json.array(left));
        }
        return new Rewrite(object, tree);
    }
}
