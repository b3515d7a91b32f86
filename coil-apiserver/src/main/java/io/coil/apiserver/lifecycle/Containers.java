package io.coil.apiserver.lifecycle;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.CollectionStep.Delete;
import io.coil.apiserver.lifecycle.CollectionStep.Rewrite;
import io.coil.apiserver.resource.ResourceRegistry;
import io.coil.apiserver.resource.TypeKey;
import io.coil.apiserver.store.ObjectStore;
import io.coil.apiserver.store.StoredObject;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/**
 * Namespaces and definitions that are being deleted: everything in them goes, and what holds them
 * goes when nothing is in them any more.
 */
final class Containers {
    private Containers() {}

    /** Whether the object is one that has to be emptied. */
    static boolean isEnding(StoredObject object) {
        if (!object.deleting()) {
            return false;
        }
        return object.type().equals(Containment.NAMESPACES)
                || (ResourceRegistry.isDefinition(object.type())
                        && object.finalizers().contains(NewObjects.DEFINITION_FINALIZER));
    }

    static List<CollectionStep> decide(ObjectStore store, StoredObject container) {
        List<StoredObject> inside = inside(store, container);
        List<CollectionStep> steps = new ArrayList<>();
        for (StoredObject object : inside) {
            if (!object.deleting()) {
                steps.add(new Delete(object, null));
            }
        }
        if (inside.isEmpty()) {
            steps.add(released(container));
        }
        return steps;
    }

    private static List<StoredObject> inside(ObjectStore store, StoredObject container) {
        if (container.type().equals(Containment.NAMESPACES)) {
            return store.everything().objects().stream()
                    .filter(o -> o.namespace().equals(container.name()))
                    .toList();
        }
        JsonNode spec = container.tree().path("spec");
        TypeKey type =
                new TypeKey(
                        spec.path("group").asString(""),
                        spec.path("names").path("plural").asString(""));
        return store.snapshot(type, null).objects();
    }

    private static Rewrite released(StoredObject container) {
        if (!container.type().equals(Containment.NAMESPACES)) {
            return CollectionDecision.withoutFinalizer(container, NewObjects.DEFINITION_FINALIZER);
        }
        ObjectNode tree = container.copy();
        Json.child(tree, "spec").remove("finalizers");
        return new Rewrite(container, tree);
    }
}
