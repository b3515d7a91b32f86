package io.coil.apiserver.lifecycle;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.Operations.Part;
import io.coil.apiserver.lifecycle.Operations.WriteQuery;
import io.coil.apiserver.resource.ResourceType;
import io.coil.apiserver.resource.TypeKey;
import io.coil.apiserver.store.ObjectKey;
import io.coil.apiserver.store.ObjectStore;
import io.coil.apiserver.store.StoredObject;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.util.Locale;
import java.util.function.UnaryOperator;

/** Changes an object: replace and patch are the same but for where the new object comes from. */
final class Update {
    /** Another writer each time: more than this is not bad luck. */
    private static final int TRIES = 50;

    private final ObjectStore store;
    private final Decoding decoding;
    private final Admission admission;
    private final Identities identities;

    Update(ObjectStore store, Decoding decoding, Admission admission, Identities identities) {
        this.store = store;
        this.decoding = decoding;
        this.admission = admission;
        this.identities = identities;
    }

    /** Where and what is changed. */
    record Target(
            ResourceType type,
            @Nullable String namespace,
            String name,
            Part part,
            boolean patched) {}

    ObjectNode apply(Target target, UnaryOperator<ObjectNode> change, WriteQuery query) {
        ResourceType type = target.type();
        ObjectKey key = ObjectKey.of(type.namespaced() ? target.namespace() : null, target.name());
        for (int tries = 0; tries < TRIES; tries++) {
            StoredObject current = store.get(TypeKey.of(type), key);
            if (current == null) {
                throw ApiErrors.notFound(type, target.name());
            }
            ObjectNode proposed = change.apply(Outgoing.copy(type, current));
            checkAddress(target, proposed);
            boolean pinned = checkPreconditions(target, current, proposed);
            @Nullable ObjectNode done = attempt(target, current, proposed, query);
            if (done != null) {
                return done;
            }
            if (pinned && !target.patched()) {
                throw ApiErrors.modified(type, target.name());
            }
        }
        throw ApiErrors.modified(type, target.name());
    }

    /**
     * @return null when somebody else wrote in between
     */
    private @Nullable ObjectNode attempt(
            Target target, StoredObject current, ObjectNode proposed, WriteQuery query) {
        ResourceType type = target.type();
        decoding.decode(type, proposed, query, target.patched());
        ObjectNode next = Merging.merge(target, current, proposed);
        NewObjects.refresh(type, next, identities.timestamp());
        var request =
                new Admission.Request(
                        type,
                        target.part() == Part.MAIN
                                ? ""
                                : target.part().name().toLowerCase(Locale.ROOT),
                        Admission.Operation.UPDATE,
                        target.namespace(),
                        target.name(),
                        current.tree(),
                        query.user(),
                        query.groups(),
                        query.dryRun(),
                        query.warnings());
        @Nullable ObjectNode changed = admission.mutate(request, next);
        ObjectNode admitted = next;
        if (changed != null) {
            decoding.shape(type, changed);
            admitted = Merging.merge(target, current, changed);
        }
        Merging.countGeneration(type, current, admitted);
        UpdateRules.check(target, current, admitted);
        decoding.validate(type, target.name(), admitted, current.tree());
        admission.validate(request, admitted);
        return commit(target, current, admitted, query.dryRun());
    }

    private @Nullable ObjectNode commit(
            Target target, StoredObject current, ObjectNode next, boolean dryRun) {
        ResourceType type = target.type();
        if (Finality.complete(type, next)) {
            if (dryRun) {
                return next;
            }
            StoredObject last = store.remove(current, next);
            return last == null ? null : Outgoing.copy(type, last);
        }
        if (Json.same(next, current.tree())) {
            return Outgoing.copy(type, current);
        }
        if (dryRun) {
            return next;
        }
        StoredObject written =
                store.put(current.type(), current.key(), current, next, ObjectStore.Guard.NONE);
        return written == null ? null : Outgoing.copy(type, written);
    }

    private static void checkAddress(Target target, ObjectNode proposed) {
        ObjectNode metadata = Json.metadata(proposed);
        String name = metadata.path("name").asString("");
        if (!name.isEmpty() && !name.equals(target.name())) {
            throw ApiErrors.badRequest(
                    "the name of the object (%s) does not match the name on the URL (%s)"
                            .formatted(name, target.name()));
        }
        String namespace = metadata.path("namespace").asString("");
        String expected = target.namespace() == null ? "" : target.namespace();
        if (!namespace.isEmpty() && !namespace.equals(expected)) {
            throw ApiErrors.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the"
                            + " request");
        }
    }

    /** Kubernetes takes it for a precondition in a PUT, and for a change in a patch. */
    private static ApiStatusException otherUid(
            Target target, String uid, StoredObject current, String version) {
        if (!target.patched()) {
            return ApiErrors.conflict(
                    target.type(),
                    target.name(),
                    "Precondition failed: UID in precondition: %s, UID in object meta: %s"
                            .formatted(uid, current.uid()));
        }
        boolean sameVersion = version.isEmpty() || version.equals(Long.toString(current.version()));
        return sameVersion
                ? ApiErrors.invalid(
                        target.type(),
                        target.name(),
                        "metadata.uid",
                        "Invalid value: \"%s\": field is immutable".formatted(uid))
                : ApiErrors.modified(target.type(), target.name());
    }

    /** Whether the object says which version it was made from. */
    private static boolean checkPreconditions(
            Target target, StoredObject current, ObjectNode proposed) {
        ObjectNode metadata = Json.metadata(proposed);
        String uid = metadata.path("uid").asString("");
        String version = metadata.path("resourceVersion").asString("");
        if (!uid.isEmpty() && !uid.equals(current.uid())) {
            throw otherUid(target, uid, current, version);
        }
        if (version.isEmpty() || version.equals("0")) {
            if (Kinds.needsVersionToReplace(target.type()) && !target.patched()) {
                throw ApiErrors.invalid(
                        target.type(),
                        target.name(),
                        "metadata.resourceVersion",
                        "Invalid value: 0x0: must be specified for an update");
            }
            return false;
        }
        if (!version.equals(Long.toString(current.version()))) {
            throw ApiErrors.modified(target.type(), target.name());
        }
        return true;
    }
}
