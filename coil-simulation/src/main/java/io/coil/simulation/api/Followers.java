package io.coil.simulation.api;

import io.coil.apiserver.resource.TypeKey;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The watches that processes have open. */
final class Followers {
    private final Types types;
    private final Set<LateWatch<?>> watches = new LinkedHashSet<>();

    /** Kinds that were written since the watches were last told. */
    private final Set<TypeKey> changed = new LinkedHashSet<>();

    Followers(Types types) {
        this.types = types;
    }

    void add(LateWatch<?> watch) {
        watches.add(watch);
    }

    void remove(LateWatch<?> watch) {
        watches.remove(watch);
    }

    List<LateWatch<?>> all() {
        return List.copyOf(watches);
    }

    void changed(TypeKey type) {
        changed.add(type);
    }

    /** Nobody follows yet who would have to hear of what was written so far. */
    void forget() {
        changed.clear();
    }

    /** Open watches take in what was written; when they show it is their matter. */
    void flush() {
        if (changed.isEmpty()) {
            return;
        }
        for (LateWatch<?> watch : all()) {
            if (changed.contains(TypeKey.of(types.of(watch.kind())))) {
                watch.takeIn();
            }
        }
        changed.clear();
    }
}
