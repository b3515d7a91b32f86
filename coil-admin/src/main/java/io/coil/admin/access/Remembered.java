package io.coil.admin.access;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.time.Timeline;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Answers of the API, each kept for a little. While the API is silent an older answer goes on to
 * hold for {@code atMost}, so that people who were signed in can still look.
 *
 * <p>Nothing is held while the API is asked; two callers may ask the same at once.
 */
final class Remembered<K, V> {
    private static final int MOST = 10_000;

    private record Answer<V>(V value, long nanos) {}

    private final Timeline timeline;
    private final long fresh;
    private final long atMost;
    private final Map<K, Answer<V>> answers = new ConcurrentHashMap<>();

    Remembered(Timeline timeline, Duration fresh, Duration atMost) {
        this.timeline = timeline;
        this.fresh = fresh.toNanos();
        this.atMost = atMost.toNanos();
    }

    V get(K key, Supplier<V> ask) {
        Answer<V> known = answers.get(key);
        if (known != null && timeline.nanos() - known.nanos() < fresh) {
            return known.value();
        }
        try {
            V value = ask.get();
            makeRoom();
            answers.put(key, new Answer<>(value, timeline.nanos()));
            return value;
        } catch (ApiFailure.Transient e) {
            if (known != null && timeline.nanos() - known.nanos() < atMost) {
                return known.value();
            }
            throw e;
        }
    }

    void forget(K key) {
        answers.remove(key);
    }

    private void makeRoom() {
        if (answers.size() < MOST) {
            return;
        }
        long now = timeline.nanos();
        answers.values().removeIf(answer -> now - answer.nanos() > fresh);
        if (answers.size() >= MOST) {
            answers.clear();
        }
    }
}
