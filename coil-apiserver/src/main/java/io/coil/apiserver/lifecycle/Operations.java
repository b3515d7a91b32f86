package io.coil.apiserver.lifecycle;

import io.coil.apiserver.resource.ResourceType;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What can be done with the stored objects, with the semantics of Kubernetes: optimistic
 * concurrency, finalizers, owner references, subresources, validation, defaults, pruning,
 * admission, dry run.
 *
 * <p>Every method may throw {@link ApiStatusException}. Returned nodes are the caller's own copies,
 * but for those of watch events, which all watchers share: they are to be read only. No method
 * waits for anything but the admission webhooks that it calls, and {@link Watch#next}.
 */
public interface Operations {

    /**
     * The part of an object that a write is for. Whatever the part, the whole object is given and
     * returned; of it only {@code status} counts for STATUS, and only {@code spec.replicas} for
     * SCALE.
     */
    enum Part {
        MAIN,
        STATUS,
        SCALE
    }

    /**
     * Fields that the schema does not know: keep silent and drop them, warn and drop, refuse the
     * write.
     */
    enum FieldValidation {
        IGNORE,
        WARN,
        STRICT
    }

    /**
     * @param user who asks, for admission reviews and messages
     * @param warnings where warnings for the client are added (sent as {@code Warning} headers)
     */
    record WriteQuery(
            String user,
            List<String> groups,
            boolean dryRun,
            FieldValidation fieldValidation,
            @Nullable String fieldManager,
            List<String> warnings) {}

    /** How dependants are treated; null: the kind's default (background). */
    enum Propagation {
        BACKGROUND,
        FOREGROUND,
        ORPHAN
    }

    record DeleteQuery(
            String user,
            List<String> groups,
            boolean dryRun,
            @Nullable String uid,
            @Nullable String resourceVersion,
            @Nullable Integer gracePeriodSeconds,
            @Nullable Propagation propagation,
            List<String> warnings) {}

    /**
     * @param limit 0: all at once
     * @param continueToken null: from the start
     * @param resourceVersion null or empty: current; "0": any; else not older than
     */
    record ListQuery(
            @Nullable String labelSelector,
            @Nullable String fieldSelector,
            int limit,
            @Nullable String continueToken,
            @Nullable String resourceVersion,
            @Nullable String resourceVersionMatch) {}

    /**
     * One page: the objects, the version that the whole list has, and how to go on (null: this was
     * the last).
     */
    record Page(
            List<ObjectNode> items,
            String resourceVersion,
            @Nullable String continueToken,
            @Nullable Long remaining) {}

    /**
     * @param resourceVersion null or "0": begin with what is there as ADDED; else events after that
     *     version (410 Expired when they are no longer kept)
     * @param sendInitialEvents begin with ADDED events of what is there and then a bookmark
     *     annotated {@code k8s.io/initial-events-end}
     */
    record WatchQuery(
            @Nullable String labelSelector,
            @Nullable String fieldSelector,
            @Nullable String resourceVersion,
            boolean allowBookmarks,
            boolean sendInitialEvents) {}

    /**
     * {@code type} is ADDED, MODIFIED, DELETED, BOOKMARK or ERROR (then {@code object} is a
     * Status).
     */
    record WatchEvent(String type, JsonNode object) {}

    /** A running watch. */
    interface Watch extends AutoCloseable {
        /**
         * The next event; null when none came in {@code max}; after an ERROR event the watch is
         * over.
         */
        @Nullable WatchEvent next(Duration max) throws InterruptedException;

        @Override
        void close();
    }

    /** What a deletion led to: the object as it was last, and whether it is gone or only marked. */
    record Deletion(ObjectNode object, boolean gone) {}

    ObjectNode get(ResourceType type, @Nullable String namespace, String name);

    /** {@code namespace} null: all namespaces, or a cluster-scoped kind. */
    Page list(ResourceType type, @Nullable String namespace, ListQuery query);

    Watch watch(ResourceType type, @Nullable String namespace, WatchQuery query);

    ObjectNode create(
            ResourceType type, @Nullable String namespace, ObjectNode body, WriteQuery query);

    ObjectNode replace(
            ResourceType type,
            @Nullable String namespace,
            String name,
            Part part,
            ObjectNode body,
            WriteQuery query);

    /**
     * Applies {@code change} to the current object and stores the result; if somebody else wrote in
     * between, it is applied again, unless the changed object names a resourceVersion or uid that
     * is not the current one (409 Conflict).
     */
    ObjectNode patch(
            ResourceType type,
            @Nullable String namespace,
            String name,
            Part part,
            UnaryOperator<ObjectNode> change,
            WriteQuery query);

    Deletion delete(ResourceType type, @Nullable String namespace, String name, DeleteQuery query);

    List<ObjectNode> deleteCollection(
            ResourceType type, @Nullable String namespace, ListQuery which, DeleteQuery query);
}
