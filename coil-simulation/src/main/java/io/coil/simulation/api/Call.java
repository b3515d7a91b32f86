package io.coil.simulation.api;

import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.Preconditions;

import org.jspecify.annotations.Nullable;

/**
 * A call through the seam of the API, before it takes effect.
 *
 * @param process its name
 * @param number the how manieth of that process's calls, over all its lives, from 1
 * @param object name, and namespace if it has one; a selection for lists and watches
 * @param must what has to be true of the object
 */
public record Call(
        String process, int number, Verb verb, Kind<?> kind, String object, Preconditions must) {

    /** What a call does. */
    public enum Verb {
        GET,
        LIST,
        WATCH,
        CREATE,
        REPLACE,
        STATUS,
        PATCH,
        DELETE;

        public boolean writes() {
            return this != GET && this != LIST && this != WATCH;
        }
    }

    /** Whether it is that verb on that kind. */
    public boolean is(Verb asked, Kind<?> of) {
        return verb == asked && kind.plural().equals(of.plural());
    }

    @Override
    public String toString() {
        return "%s %s/%s%s".formatted(verb, kind.plural(), object, conditions(must));
    }

    private static String conditions(Preconditions must) {
        @Nullable String uid = must.uid();
        @Nullable String version = must.resourceVersion();
        if (uid == null && version == null) {
            return "";
        }
        return " (%s%s%s)"
                .formatted(
                        uid == null ? "" : "uid " + uid.substring(0, Math.min(8, uid.length())),
                        uid == null || version == null ? "" : ", ",
                        version == null ? "" : "rv " + version);
    }
}
