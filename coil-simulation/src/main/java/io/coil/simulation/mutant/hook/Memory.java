package io.coil.simulation.mutant.hook;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What hooks remember between two calls, of one run. The tasks of a run take turns, and so does
 * nothing here at the same time.
 */
public final class Memory {
    private static final Map<List<Object>, Object> VALUES = new HashMap<>();

    private static final Map<Integer, Long> REACHED = new HashMap<>();

    private Memory() {}

    /** A run begins: nothing is known. */
    public static void clear() {
        VALUES.clear();
        REACHED.clear();
    }

    /** What was rewritten is executed: the how manieth of the mutant's rewritings. */
    public static void reached(int rewriting) {
        REACHED.merge(rewriting, 1L, Long::sum);
    }

    /** How often each rewriting was executed in this run; those that never were are not there. */
    public static Map<Integer, Long> reached() {
        return Map.copyOf(REACHED);
    }

    static void put(Object value, Object... key) {
        VALUES.put(Arrays.asList(key), value);
    }

    static @Nullable Object get(Object... key) {
        return VALUES.get(Arrays.asList(key));
    }

    static void remove(Object... key) {
        VALUES.remove(Arrays.asList(key));
    }
}
