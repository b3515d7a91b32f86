package io.coil.kubernetes.api;

import io.kubernetes.client.common.KubernetesObject;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The seam of the API: everything that controller and agent read, write and watch in Kubernetes.
 *
 * <p>Reads are <em>live</em>: linearizable, never from a cache. Every call blocks the calling task
 * for at most the client's time-out and throws {@link ApiFailure}. No call retries by itself.
 */
public interface KubeApi {

    /** All items, and the version that they had together. */
    record Listing<T>(List<T> items, String resourceVersion) {}

    /** A running watch. */
    interface Watching<T> extends AutoCloseable {
        /**
         * The next event, or null if there was none in {@code max}. After {@link WatchEvent.Ended}
         * it is over.
         */
        @Nullable WatchEvent<T> next(Duration max) throws InterruptedException;

        @Override
        void close();
    }

    /**
     * Live read; empty if there is no such object. {@code namespace} is null for cluster-scoped
     * kinds.
     */
    <T extends KubernetesObject> Optional<T> get(
            Kind<T> kind, @Nullable String namespace, String name);

    /**
     * Live list, read in pages, each item handed to {@code each}; returns the version that all had
     * together. If the server no longer keeps that version before the last page was read: {@link
     * ApiFailure.Stale} with {@code expired}, and what {@code each} was given is to be forgotten.
     */
    <T extends KubernetesObject> String list(
            Kind<T> kind, Selection selection, Consumer<? super T> each);

    /** The same at once; a list that expires while it is read is begun again, three times. */
    default <T extends KubernetesObject> Listing<T> list(Kind<T> kind, Selection selection) {
        for (int again = 3; ; again--) {
            List<T> items = new ArrayList<>();
            try {
                String version = list(kind, selection, items::add);
                return new Listing<>(items, version);
            } catch (ApiFailure.Stale e) {
                if (!e.expired() || again == 0) {
                    throw e;
                }
            }
        }
    }

    /** Events after {@code resourceVersion}, with bookmarks. */
    <T extends KubernetesObject> Watching<T> watch(
            Kind<T> kind, Selection selection, String resourceVersion);

    /** {@link ApiFailure.Stale} with {@code alreadyExists} if the name is taken. */
    <T extends KubernetesObject> T create(Kind<T> kind, T object);

    /**
     * Replaces the object of that name if it still has the resourceVersion that {@code object}
     * carries.
     */
    <T extends KubernetesObject> T replace(Kind<T> kind, T object);

    /**
     * The same for the status alone. {@link ApiFailure.Stale} with {@code statusMissing} if the
     * object is there but its kind has no status.
     */
    <T extends KubernetesObject> T replaceStatus(Kind<T> kind, T object);

    /**
     * JSON merge patch (RFC 7386); {@code must} is written into the patch's metadata, so a
     * difference is a conflict.
     */
    <T extends KubernetesObject> T patch(
            Kind<T> kind,
            @Nullable String namespace,
            String name,
            Preconditions must,
            String mergePatch);

    /**
     * Stale with {@code notFound} if it is gone, with 409 if a precondition does not hold.
     *
     * @return the object as it stands there now, being deleted and held by its finalizers; empty if
     *     none holds it
     */
    <T extends KubernetesObject> Optional<T> delete(
            Kind<T> kind, @Nullable String namespace, String name, Preconditions must);
}
