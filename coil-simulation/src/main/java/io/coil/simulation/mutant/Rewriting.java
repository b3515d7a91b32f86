package io.coil.simulation.mutant;

import org.jspecify.annotations.Nullable;

/**
 * One rewriting of one place.
 *
 * @param type binary name of the class
 * @param method its name; the lambdas that stand in it are part of it. {@code <init>}: the
 *     constructor
 * @param times how often the place is to be found there: a difference is an error, so that this
 *     cannot rot
 * @param only which of them is meant, from 1, in the order of the code; 0: each
 */
public record Rewriting(String type, String method, Place place, int times, int only, Edit edit) {

    /** Where something is rewritten. */
    public record In(String type, String method) {
        /** A place that is there once. */
        public At at(Place place) {
            return new At(this, place, 1, 0);
        }

        /** A place that is there so often; each is meant. */
        public At each(Place place, int times) {
            return new At(this, place, times, 0);
        }

        /** A place that is there so often; one is meant. */
        public At one(Place place, int which, int times) {
            return new At(this, place, times, which);
        }
    }

    /** What is rewritten. */
    public record At(In in, Place place, int times, int only) {
        public Rewriting skip() {
            return answer(null);
        }

        public Rewriting answer(@Nullable Object value) {
            return with(new Edit.Answer(value));
        }

        public Rewriting not() {
            return with(new Edit.Not());
        }

        public Rewriting instead(String hook) {
            return with(new Edit.Instead(hook));
        }

        public Rewriting after(String hook) {
            return with(new Edit.After(hook));
        }

        public Rewriting before(String hook) {
            return with(new Edit.Before(hook));
        }

        private Rewriting with(Edit edit) {
            return new Rewriting(in.type(), in.method(), place, times, only, edit);
        }
    }

    /** {@code type} without its {@code io.coil.}. */
    public static In in(String type, String method) {
        return new In("io.coil." + type, method);
    }

    boolean covers(String methodName) {
        return methodName.equals(method)
                || (methodName.startsWith("lambda$" + method + "$")
                        && methodName.substring(method.length() + 8).matches("\\d+"));
    }

    @Override
    public String toString() {
        return "%s#%s: %s".formatted(type, method, place);
    }
}
