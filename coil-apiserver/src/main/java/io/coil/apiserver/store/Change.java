package io.coil.apiserver.store;

import org.jspecify.annotations.Nullable;

/**
 * One write.
 *
 * @param version number of the write
 * @param before null: the object was created by it
 * @param after the object after it; for a deletion the object as it was last, with the deletion's
 *     version
 * @param deleted whether the object is gone with it
 */
public record Change(
        long version, @Nullable StoredObject before, StoredObject after, boolean deleted) {}
