package io.coil.kubernetes.watch;

import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link Reflector} tells its user, in order, one call at a time, from the reflector's task
 * and after the image has changed. Calls must be short: nothing more is seen meanwhile.
 *
 * <p>The image is level-based: several changes of an object may be told as one, and a change that
 * leaves what is kept of it equal is not told.
 */
public interface Changes<V> {

    /** {@code old} is null if the object was not in the image. */
    default void upserted(ObjectKey key, @Nullable V old, V now) {}

    default void removed(ObjectKey key, V old) {}

    /** A whole list has been read: the image is what the API had at one moment. */
    default void listed() {}

    /** For users that only want to look again. */
    static <V> Changes<V> raise(Timeline.Signal signal) {
        return run(signal::raise);
    }

    /** Runs {@code action} at every change, and after each list. */
    static <V> Changes<V> run(Runnable action) {
        return new Changes<>() {
            @Override
            public void upserted(ObjectKey key, @Nullable V old, V now) {
                action.run();
            }

            @Override
            public void removed(ObjectKey key, V old) {
                action.run();
            }

            @Override
            public void listed() {
                action.run();
            }
        };
    }
}
