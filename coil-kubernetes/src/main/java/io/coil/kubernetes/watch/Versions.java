package io.coil.kubernetes.watch;

import org.jspecify.annotations.Nullable;

/**
 * Compares resource versions. Kubernetes promises that those of one kind are numbers that grow;
 * what is no number is only ever equal.
 */
final class Versions {
    private Versions() {}

    static boolean reached(@Nullable String now, String wanted) {
        if (now == null) {
            return false;
        }
        if (now.equals(wanted)) {
            return true;
        }
        try {
            return Long.compareUnsigned(Long.parseUnsignedLong(now), Long.parseUnsignedLong(wanted))
                    >= 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
