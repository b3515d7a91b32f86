package io.coil.apiserver.lifecycle;

import io.coil.apiserver.lifecycle.Operations.DeleteQuery;
import io.coil.apiserver.lifecycle.Operations.Deletion;
import io.coil.apiserver.resource.ResourceType;
import io.coil.apiserver.resource.TypeKey;
import io.coil.apiserver.store.ObjectKey;
import io.coil.apiserver.store.ObjectStore;
import io.coil.apiserver.store.StoredObject;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;

/** Deletes an object, or marks it for those who hold it back. */
final class Removal {
    private static final int TRIES = 50;

    /** Namespaces that every cluster has. */
    private static final Set<String> LASTING =
            Set.of("default", "kube-system", "kube-public", "kube-node-lease");

    private final ObjectStore store;
    private final Admission admission;
    private final Identities identities;

    Removal(ObjectStore store, Admission admission, Identities identities) {
        this.store = store;
        this.admission = admission;
        this.identities = identities;
    }

    Deletion delete(ResourceType type, @Nullable String namespace, String name, DeleteQuery query) {
        ObjectKey key = ObjectKey.of(type.namespaced() ? namespace : null, name);
        for (int tries = 0; tries < TRIES; tries++) {
            StoredObject current = store.get(TypeKey.of(type), key);
            if (current == null) {
                throw ApiErrors.notFound(type, name);
            }
            checkPreconditions(type, current, query);
            if (Kinds.isNamespace(type) && LASTING.contains(name)) {
                throw ApiErrors.forbidden(
                        type, name, "this namespace may not be deleted", List.of());
            }
            admit(type, namespace, current, query);
            @Nullable Deletion done =
                    carryOut(
                            type,
                            current,
                            DeletionStep.decide(type, current, query, identities.now()),
                            query.dryRun());
            if (done != null) {
                return done;
            }
        }
        throw ApiErrors.modified(type, name);
    }

    /**
     * @return null when somebody else wrote in between
     */
    private @Nullable Deletion carryOut(
            ResourceType type, StoredObject current, DeletionStep step, boolean dryRun) {
        return switch (step) {
            case DeletionStep.Nothing _ -> new Deletion(Outgoing.copy(type, current), false);
            case DeletionStep.Mark(var marked) -> {
                if (dryRun) {
                    yield new Deletion(marked, false);
                }
                StoredObject written =
                        store.put(
                                current.type(),
                                current.key(),
                                current,
                                marked,
                                ObjectStore.Guard.NONE);
                yield written == null ? null : new Deletion(Outgoing.copy(type, written), false);
            }
            case DeletionStep.Remove(var last) -> {
                if (dryRun) {
                    yield new Deletion(last, true);
                }
                StoredObject removed = store.remove(current, last);
                yield removed == null ? null : new Deletion(Outgoing.copy(type, removed), true);
            }
        };
    }

    private void admit(
            ResourceType type,
            @Nullable String namespace,
            StoredObject current,
            DeleteQuery query) {
        var request =
                new Admission.Request(
                        type,
                        "",
                        Admission.Operation.DELETE,
                        namespace,
                        current.name(),
                        current.tree(),
                        query.user(),
                        query.groups(),
                        query.dryRun(),
                        query.warnings());
        admission.validate(request, null);
    }

    private static void checkPreconditions(
            ResourceType type, StoredObject current, DeleteQuery query) {
        String uid = query.uid();
        if (uid != null && !uid.isEmpty() && !uid.equals(current.uid())) {
            throw ApiErrors.conflict(
                    type,
                    current.name(),
                    "the UID in the precondition (%s) does not match the UID in record (%s). The object might have been deleted and then recreated"
                            .formatted(uid, current.uid()));
        }
        String version = query.resourceVersion();
        if (version != null
                && !version.isEmpty()
                && !version.equals(Long.toString(current.version()))) {
            throw ApiErrors.conflict(
                    type,
                    current.name(),
                    "the ResourceVersion in the precondition (%s) does not match the ResourceVersion in record (%d). The object might have been modified"
                            .formatted(version, current.version()));
        }
    }
}
