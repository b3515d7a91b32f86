package io.coil.kubernetes.api;

import org.jspecify.annotations.Nullable;

/** What a watch tells. */
public sealed interface WatchEvent<T> {

    /** The object is there, new or changed. */
    record Present<T>(T object) implements WatchEvent<T> {}

    /** The object is gone, or no longer selected; as it was last. */
    record Gone<T>(T object) implements WatchEvent<T> {}

    /** Nothing changed up to this version. */
    record Bookmark<T>(String resourceVersion) implements WatchEvent<T> {}

    /**
     * The watch is over; {@code failure} says why, null for an ordinary end. Begin again from the
     * last version seen.
     */
    record Ended<T>(@Nullable ApiFailure failure) implements WatchEvent<T> {}
}
