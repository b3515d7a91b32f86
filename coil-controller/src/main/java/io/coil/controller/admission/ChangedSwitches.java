package io.coil.controller.admission;

import io.coil.core.pool.PoolSwitches;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/** Annotations of nodes and blocks: only what is set or changed is judged. */
final class ChangedSwitches {
    private ChangedSwitches() {}

    /** What is wrong with those that an update sets; null: nothing. */
    static @Nullable String refusal(
            Map<String, String> before, Map<String, String> now, Collection<String> names) {
        String bad =
                PoolSwitches.parse(now).bad().stream()
                        .filter(b -> names.contains(b.annotation()))
                        .filter(b -> !b.value().equals(before.get(b.annotation())))
                        .map(PoolSwitches.BadValue::message)
                        .collect(Collectors.joining("; "));
        return bad.isEmpty() ? null : bad;
    }
}
