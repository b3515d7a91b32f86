package io.coil.apiserver.rest;

import io.coil.apiserver.fault.Scope.Call;
import io.coil.apiserver.http.ApiResponse;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;

/** How many requests of which kind were served; a watch counts when it begins. */
public final class RequestLog {
    private static final Set<String> WRITES =
            Set.of("create", "update", "patch", "delete", "deletecollection");

    /**
     * @param resource plural, empty for a request that is for no resource
     * @param subresource empty if none
     * @param code HTTP status; 0 when the connection was closed without an answer
     */
    public record Kind(String user, String verb, String resource, String subresource, int code) {
        public boolean write() {
            return WRITES.contains(verb);
        }
    }

    private final Map<Kind, LongAdder> counts = new ConcurrentHashMap<>();
    private final List<BiConsumer<Call, ApiResponse.Whole>> listeners =
            new CopyOnWriteArrayList<>();

    /**
     * Who hears of every call that was served, in the task that serves it: before its caller does,
     * and also if its answer gets lost. Calls that fail on purpose or are refused are not told.
     */
    public void listen(BiConsumer<Call, ApiResponse.Whole> listener) {
        listeners.add(listener);
    }

    void served(Call call, ApiResponse.Whole answer) {
        listeners.forEach(l -> l.accept(call, answer));
    }

    void add(String user, String verb, String resource, @Nullable String subresource, int code) {
        Kind kind = new Kind(user, verb, resource, subresource == null ? "" : subresource, code);
        counts.computeIfAbsent(kind, k -> new LongAdder()).increment();
    }

    /** Requests of that kind, whatever became of them, those for subresources too. */
    public long count(String user, String verb, String resource) {
        return sum(
                kind ->
                        kind.user().equals(user)
                                && kind.verb().equals(verb)
                                && kind.resource().equals(resource));
    }

    /** All that a user tried to change. */
    public long writes(String user) {
        return sum(kind -> kind.user().equals(user) && kind.write());
    }

    /** All that anybody tried to change. */
    public long writes() {
        return sum(Kind::write);
    }

    public long sum(java.util.function.Predicate<Kind> which) {
        return counts.entrySet().stream()
                .filter(entry -> which.test(entry.getKey()))
                .mapToLong(entry -> entry.getValue().sum())
                .sum();
    }

    /** All counts at this moment. */
    public Map<Kind, Long> counts() {
        Map<Kind, Long> copy = new ConcurrentHashMap<>();
        counts.forEach((kind, count) -> copy.put(kind, count.sum()));
        return copy;
    }

    /** One line per kind, for a person who looks why. */
    @Override
    public String toString() {
        Map<String, Long> lines = new TreeMap<>();
        counts.forEach((kind, count) -> lines.put(kind.toString(), count.sum()));
        StringBuilder text = new StringBuilder();
        lines.forEach((kind, count) -> text.append(count).append(' ').append(kind).append('\n'));
        return text.toString();
    }

    public void reset() {
        counts.clear();
    }
}
