package io.coil.simulation.mutant;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Loads everything of ours anew, with some of it rewritten; all else comes from the parent. What is
 * rewritten is rewritten at once, so that a place that is not found is known before anything runs.
 */
final class MutantLoader extends ClassLoader {
    private static final String OURS = "io.coil.";

    static {
        registerAsParallelCapable();
    }

    private final Map<String, byte[]> rewritten = new HashMap<>();

    MutantLoader(String name, ClassLoader parent, List<Rewriting> rewritings) {
        super("mutant " + name, parent);
        Rewriter rewriter = new Rewriter(parent, rewritings);
        Map<String, List<Rewriting>> byClass = new HashMap<>();
        for (Rewriting rewriting : rewritings) {
            byClass.computeIfAbsent(rewriting.type(), t -> new ArrayList<>()).add(rewriting);
        }
        byClass.forEach(
                (type, of) -> rewritten.put(type, rewriter.rewrite(Hooks.bytes(parent, type), of)));
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known != null ? known : findClass(name);
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = rewritten.get(name);
        if (bytes == null) {
            try {
                bytes = Hooks.bytes(getParent(), name);
            } catch (Rewriter.NotFound e) {
                throw new ClassNotFoundException(name, e);
            }
        }
        return defineClass(name, bytes, 0, bytes.length);
    }
}
