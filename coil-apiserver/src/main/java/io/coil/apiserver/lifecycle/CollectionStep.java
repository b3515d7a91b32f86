package io.coil.apiserver.lifecycle;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.Operations.Propagation;
import io.coil.apiserver.resource.ResourceRegistry;
import io.coil.apiserver.store.StoredObject;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** One thing that the collector does, decided from all objects at one moment. */
sealed interface CollectionStep {
    /**
     * @param propagation null: as the kind has it
     */
    record Delete(StoredObject object, @Nullable Propagation propagation)
            implements CollectionStep {}

    /** The object gets this tree, if it still is what it was. */
    record Rewrite(StoredObject object, ObjectNode tree) implements CollectionStep {}

    static List<CollectionStep> decide(List<StoredObject> all) {
        return new Decision(all).steps();
    }

    /** The objects by UID and by owner, and the steps as they are found. */
    final class Decision {
        private final List<StoredObject> all;
        private final Map<String, StoredObject> byUid = new HashMap<>();
        private final Map<String, List<StoredObject>> dependants = new HashMap<>();
        private final List<CollectionStep> steps = new ArrayList<>();

        Decision(List<StoredObject> all) {
            this.all = all;
            for (StoredObject object : all) {
                byUid.put(object.uid(), object);
                for (String owner : object.owners()) {
                    dependants.computeIfAbsent(owner, k -> new ArrayList<>()).add(object);
                }
            }
        }

        List<CollectionStep> steps() {
            for (StoredObject object : all) {
                if (object.deleting()) {
                    release(object);
                }
                if (!object.owners().isEmpty()) {
                    judge(object);
                }
            }
            return steps;
        }

        private List<StoredObject> dependantsOf(StoredObject owner) {
            return dependants.getOrDefault(owner.uid(), List.of()).stream()
                    .filter(d -> owns(owner, d))
                    .toList();
        }

        /** A namespaced owner owns only in its namespace. */
        private static boolean owns(StoredObject owner, StoredObject dependant) {
            return owner.namespace().isEmpty() || owner.namespace().equals(dependant.namespace());
        }

        /** Kubernetes cannot resolve such a reference, and leaves the object alone. */
        private static boolean unresolvable(StoredObject owner, StoredObject dependant) {
            return !owner.namespace().isEmpty() && dependant.namespace().isEmpty();
        }

        /** Ends what keeps an object that is being deleted, when its time has come. */
        private void release(StoredObject object) {
            List<String> finalizers = object.finalizers();
            if (finalizers.contains(DeletionStep.ORPHAN)) {
                orphan(object);
            } else if (finalizers.contains(DeletionStep.FOREGROUND)) {
                boolean blocked =
                        dependantsOf(object).stream().anyMatch(d -> blocks(d, object.uid()));
                if (!blocked) {
                    dropFinalizer(object, DeletionStep.FOREGROUND);
                }
            }
            if (object.type().equals(Containment.NAMESPACES)) {
                empty(object, o -> o.namespace().equals(object.name()));
            } else if (ResourceRegistry.isDefinition(object.type())
                    && finalizers.contains(NewObjects.DEFINITION_FINALIZER)) {
                JsonNode spec = object.tree().path("spec");
                String group = spec.path("group").asString("");
                String plural = spec.path("names").path("plural").asString("");
                empty(
                        object,
                        o -> o.type().group().equals(group) && o.type().plural().equals(plural));
            }
        }

        /** Everything in it goes; what holds it goes when nothing is in it any more. */
        private void empty(StoredObject container, Predicate<StoredObject> inside) {
            boolean any = false;
            for (StoredObject object : all) {
                if (inside.test(object)) {
                    any = true;
                    if (!object.deleting()) {
                        steps.add(new Delete(object, null));
                    }
                }
            }
            if (any) {
                return;
            }
            if (container.type().equals(Containment.NAMESPACES)) {
                ObjectNode tree = container.copy();
                Json.child(tree, "spec").remove("finalizers");
                steps.add(new Rewrite(container, tree));
            } else {
                dropFinalizer(container, NewObjects.DEFINITION_FINALIZER);
            }
        }

        /** First the dependants forget it, then it goes. */
        private void orphan(StoredObject owner) {
            List<StoredObject> left = dependantsOf(owner);
            for (StoredObject dependant : left) {
                steps.add(
                        new Rewrite(
                                dependant,
                                withoutOwners(dependant, uid -> uid.equals(owner.uid()))));
            }
            if (left.isEmpty()) {
                dropFinalizer(owner, DeletionStep.ORPHAN);
            }
        }

        private void judge(StoredObject object) {
            boolean solid = false;
            boolean waiting = false;
            boolean useless = false;
            for (String uid : object.owners()) {
                @Nullable StoredObject owner = byUid.get(uid);
                if (owner != null && unresolvable(owner, object)) {
                    solid = true;
                } else if (owner == null || !owns(owner, object)) {
                    useless = true;
                } else if (owner.deleting()
                        && owner.finalizers().contains(DeletionStep.FOREGROUND)) {
                    waiting = true;
                } else {
                    solid = true;
                }
            }
            if (solid) {
                if (useless || waiting) {
                    steps.add(new Rewrite(object, withoutOwners(object, this::isNotSolid)));
                }
            } else if (!object.deleting()) {
                boolean chain = waiting && !dependantsOf(object).isEmpty();
                steps.add(new Delete(object, chain ? Propagation.FOREGROUND : null));
            }
        }

        private boolean isNotSolid(String uid) {
            @Nullable StoredObject owner = byUid.get(uid);
            return owner == null
                    || (owner.deleting() && owner.finalizers().contains(DeletionStep.FOREGROUND));
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

        private static ObjectNode withoutOwners(StoredObject object, Predicate<String> drop) {
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
            return tree;
        }

        private void dropFinalizer(StoredObject object, String finalizer) {
            List<String> left = new ArrayList<>(object.finalizers());
            left.remove(finalizer);
            ObjectNode tree = object.copy();
            if (left.isEmpty()) {
                Json.metadata(tree).remove("finalizers");
            } else {
                Json.metadata(tree).set("finalizers", Json.array(left));
            }
            steps.add(new Rewrite(object, tree));
        }
    }
}
