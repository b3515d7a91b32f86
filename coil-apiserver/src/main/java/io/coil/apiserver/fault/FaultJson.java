package io.coil.apiserver.fault;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.ApiStatusException;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Set;

/**
 * Fault rules as JSON: {@code id, user, userAgent, verbs, resource, namespace, name, probability,
 * count, effect}, and what the effect needs: {@code milliseconds}, {@code code}, {@code
 * retryAfterSeconds}, {@code versions}.
 */
public final class FaultJson {
    private FaultJson() {}

    /**
     * @param id for a rule that has none of its own
     */
    public static FaultRule read(JsonNode json, String id) {
        double probability = json.path("probability").asDouble(1);
        if (probability < 0 || probability > 1) {
            throw bad("probability must be between 0 and 1");
        }
        String own = Json.text(json, "id");
        return new FaultRule(
                own == null ? id : own,
                new Scope(
                        Json.text(json, "user"),
                        Json.text(json, "userAgent"),
                        Set.copyOf(Json.texts(json.path("verbs"))),
                        Json.text(json, "resource"),
                        Json.text(json, "namespace"),
                        Json.text(json, "name")),
                probability,
                json.path("count").isIntegralNumber() ? (Integer) json.path("count").asInt() : null,
                effect(json));
    }

    private static Effect effect(JsonNode json) {
        String effect = json.path("effect").asString("");
        return switch (effect) {
            case "latency" -> new Effect.Latency(duration(json));
            case "conflict" -> Effect.conflict();
            case "expired" -> Effect.expired();
            case "throttle" -> Effect.tooManyRequests(json.path("retryAfterSeconds").asInt(1));
            case "error" -> error(json.path("code").asInt(500));
            case "lost-reply" -> new Effect.LostReply();
            case "lost-request" -> new Effect.LostRequest();
            case "partition" -> new Effect.Partition();
            case "watch-stall" -> new Effect.WatchStall();
            case "watch-lag" -> new Effect.WatchLag(duration(json));
            case "watch-end" -> new Effect.WatchEnd();
            case "stale-list" ->
                    json.has("milliseconds")
                            ? new Effect.StaleListBySpan(duration(json))
                            : json.has("version")
                                    ? new Effect.StaleListAsOf(json.path("version").asLong())
                                    : new Effect.StaleList(json.path("versions").asLong(1));
            default ->
                    throw bad(
                            "effect must be one of latency, conflict, expired, throttle, error,"
                                    + " lost-reply, lost-request, partition, watch-stall,"
                                    + " watch-lag, watch-end, stale-list, not \""
                                    + effect
                                    + "\"");
        };
    }

    private static Effect error(int code) {
        return switch (code) {
            case 500 -> Effect.internalError();
            case 503 -> Effect.unavailable();
            default -> new Effect.Refusal(code, "InternalError", "injected fault " + code, null);
        };
    }

    private static Duration duration(JsonNode json) {
        long milliseconds = json.path("milliseconds").asLong(-1);
        if (milliseconds < 0) {
            throw bad("this effect needs \"milliseconds\", 0 or more");
        }
        return Duration.ofMillis(milliseconds);
    }

    private static ApiStatusException bad(String message) {
        return new ApiStatusException(400, "BadRequest", message);
    }

    public static ObjectNode write(Faults.Shown shown) {
        FaultRule rule = shown.rule();
        Scope scope = rule.scope();
        ObjectNode json = Json.object().put("id", rule.id());
        put(json, "user", scope.user());
        put(json, "userAgent", scope.userAgent());
        if (!scope.verbs().isEmpty()) {
            scope.verbs().stream().sorted().forEach(json.putArray("verbs")::add);
        }
        put(json, "resource", scope.resource());
        put(json, "namespace", scope.namespace());
        put(json, "name", scope.name());
        json.put("probability", rule.probability());
        if (rule.count() != null) {
            json.put("count", rule.count());
        }
        writeEffect(rule.effect(), json);
        return json.put("hits", shown.hits());
    }

    private static void writeEffect(Effect effect, ObjectNode json) {
        switch (effect) {
            case Effect.Latency latency ->
                    json.put("effect", "latency").put("milliseconds", latency.by().toMillis());
            case Effect.Refusal refusal -> writeRefusal(refusal, json);
            case Effect.LostReply ignored -> json.put("effect", "lost-reply");
            case Effect.LostRequest ignored -> json.put("effect", "lost-request");
            case Effect.Partition ignored -> json.put("effect", "partition");
            case Effect.WatchStall ignored -> json.put("effect", "watch-stall");
            case Effect.WatchLag lag ->
                    json.put("effect", "watch-lag").put("milliseconds", lag.by().toMillis());
            case Effect.WatchEnd ignored -> json.put("effect", "watch-end");
            case Effect.StaleList stale ->
                    json.put("effect", "stale-list").put("versions", stale.versions());
            case Effect.StaleListBySpan stale ->
                    json.put("effect", "stale-list").put("milliseconds", stale.span().toMillis());
            case Effect.StaleListAsOf stale ->
                    json.put("effect", "stale-list").put("version", stale.version());
        }
    }

    private static void writeRefusal(Effect.Refusal refusal, ObjectNode json) {
        switch (refusal.code()) {
            case 409 -> json.put("effect", "conflict");
            case 410 -> json.put("effect", "expired");
            case 429 -> json.put("effect", "throttle");
            default -> json.put("effect", "error").put("code", refusal.code());
        }
        if (refusal.retryAfterSeconds() != null) {
            json.put("retryAfterSeconds", refusal.retryAfterSeconds());
        }
    }

    private static void put(ObjectNode json, String name, @Nullable String value) {
        if (value != null) {
            json.put(name, value);
        }
    }
}
