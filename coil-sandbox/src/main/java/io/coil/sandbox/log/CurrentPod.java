package io.coil.sandbox.log;

import org.jspecify.annotations.Nullable;

/**
 * Which pod the code that runs now belongs to.
 *
 * <p>Threads inherit it from the thread that starts them, so a program that is started under its
 * pod's name logs under it, whatever threads it makes, without knowing.
 */
public final class CurrentPod {
    private static final InheritableThreadLocal<@Nullable String> NAME =
            new InheritableThreadLocal<>();

    private CurrentPod() {}

    /** {@code namespace/name}, or null outside of any. */
    static @Nullable String name() {
        return NAME.get();
    }

    /** Something that a pod does. */
    @FunctionalInterface
    public interface Work<T, E extends Exception> {
        T run() throws E;
    }

    /** Runs {@code work} as that pod. */
    public static <T, E extends Exception> T call(String pod, Work<T, E> work) throws E {
        String before = NAME.get();
        NAME.set(pod);
        try {
            return work.run();
        } finally {
            if (before == null) {
                NAME.remove();
            } else {
                NAME.set(before);
            }
        }
    }
}
