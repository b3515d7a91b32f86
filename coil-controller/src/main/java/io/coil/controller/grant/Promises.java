package io.coil.controller.grant;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What is kept for requests until they are answered or gone, by their names: which of that name was
 * promised a block, and since when its pool, or its node's share of it, is found exhausted.
 */
final class Promises {
    private record Exhausted(String uid, long since) {}

    // both guarded by this
    private final Map<String, String> promised = new HashMap<>();
    private final Map<String, Exhausted> exhausted = new HashMap<>();

    synchronized void promised(String name, String uid) {
        promised.put(name, uid);
    }

    /** UID of the request of that name that was promised a block; null: none was. */
    synchronized @Nullable String uidOf(String name) {
        return promised.get(name);
    }

    /** When the pool was first found exhausted for this request, {@code now} if it is the first. */
    synchronized long exhaustedSince(String name, String uid, long now) {
        Exhausted known = exhausted.get(name);
        if (known == null || !known.uid().equals(uid)) {
            known = new Exhausted(uid, now);
            exhausted.put(name, known);
        }
        return known.since();
    }

    /** No open request has that name any more. */
    synchronized void notExhausted(String name) {
        exhausted.remove(name);
    }

    /** That request needs nothing any more. */
    synchronized void end(String name, String uid) {
        promised.remove(name, uid);
        exhausted.remove(name);
    }

    synchronized boolean has(String name) {
        return promised.containsKey(name) || exhausted.containsKey(name);
    }

    /** Names of requests for which anything is kept, in order. */
    synchronized List<String> names() {
        return Stream.concat(promised.keySet().stream(), exhausted.keySet().stream())
                .distinct()
                .sorted()
                .toList();
    }
}
