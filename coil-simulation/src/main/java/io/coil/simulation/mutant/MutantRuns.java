package io.coil.simulation.mutant;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;

/** Runs of one mutant, in this Java machine, one after the other. */
public final class MutantRuns {
    private static final String MEMORY = "io.coil.simulation.mutant.hook.Memory";
    private static final String ENTRY = "io.coil.simulation.Entry";

    private final MutantLoader loader;
    private final MethodHandle clear;
    private final MethodHandle run;
    private final MethodHandle reached;

    /**
     * Rewrites and loads it.
     *
     * @throws IllegalStateException if a place that it rewrites is not found
     */
    public MutantRuns(Mutant mutant) {
        loader =
                new MutantLoader(
                        mutant.name(), MutantRuns.class.getClassLoader(), mutant.rewritings());
        clear = find(MEMORY, "clear", MethodType.methodType(void.class));
        reached = find(MEMORY, "reached", MethodType.methodType(Map.class));
        run = find(ENTRY, "run", MethodType.methodType(String.class, long.class, String.class));
    }

    private MethodHandle find(String type, String method, MethodType signature) {
        try {
            return MethodHandles.publicLookup()
                    .findStatic(loader.loadClass(type), method, signature);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("there is no public " + type + "." + method, e);
        }
    }

    @FunctionalInterface
    private interface Call {
        Object now() throws Throwable;
    }

    /**
     * One run of {@link io.coil.simulation.Entry}.
     *
     * @return empty if every invariant held; else what did not, in one line
     * @throws IllegalStateException if a hook does not fit the code any more
     */
    public String run(long seed, String options) {
        return verdict(() -> run.invoke(seed, options));
    }

    /** The same of another public and static {@code method(String what, long seed)}. */
    public String call(String type, String method, String what, long seed) {
        MethodHandle handle =
                find(type, method, MethodType.methodType(String.class, String.class, long.class));
        return verdict(() -> handle.invoke(what, seed));
    }

    /**
     * How often each rewriting was executed in the last run, by its place in {@link
     * Mutant#rewritings}; one that never was is not there.
     */
    @SuppressWarnings("unchecked")
    public Map<Integer, Long> reached() {
        try {
            return (Map<Integer, Long>) reached.invoke();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private String verdict(Call call) {
        String verdict;
        try {
            clear.invoke();
            verdict = (String) call.now();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        if (verdict.contains("DoesNotFit")) {
            throw new IllegalStateException(verdict);
        }
        return verdict;
    }
}
