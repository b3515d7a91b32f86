package io.coil.sandbox.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Hands out addresses one after the other. */
final class CountingPlugin implements CniEntry {
    final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
    final Map<String, Integer> held = new ConcurrentHashMap<>();
    final AtomicInteger failures = new AtomicInteger();
    private final AtomicInteger next = new AtomicInteger();

    int count(String command) {
        AtomicInteger count = calls.get(command);
        return count == null ? 0 : count.get();
    }

    @Override
    public CniReply call(CniRequest request) {
        calls.computeIfAbsent(request.command(), c -> new AtomicInteger()).incrementAndGet();
        if (request.command().equals("DEL")) {
            held.remove(request.containerId());
            return new CniReply(0, "");
        }
        if (request.command().equals("CHECK")) {
            return held.containsKey(request.containerId())
                    ? new CniReply(0, "")
                    : CniReply.failure(3, "no such container");
        }
        if (failures.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
            return CniReply.failure(CniReply.TRY_AGAIN_LATER, "no room");
        }
        @Nullable Integer before = held.put(request.containerId(), next.incrementAndGet());
        assertThat(before).isNull();
        return new CniReply(0, "{\"ips\":[{\"address\":\"10.9.0.%d/32\"}]}".formatted(next.get()));
    }
}
