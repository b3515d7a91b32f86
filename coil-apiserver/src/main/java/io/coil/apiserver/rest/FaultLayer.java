package io.coil.apiserver.rest;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.Faults;
import io.coil.apiserver.fault.Scope.Call;
import io.coil.apiserver.http.ApiRequest;
import io.coil.apiserver.http.ApiResponse;
import io.coil.apiserver.lifecycle.ApiStatusException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Locale;

/** Lets faults strike requests, and counts them, before and after somebody serves them. */
final class FaultLayer {
    private static final Logger LOG = LoggerFactory.getLogger(FaultLayer.class);

    /** Who serves a request that reaches its server. */
    @FunctionalInterface
    interface Serving {
        /**
         * @param target null: no resource
         * @param effects faults that change what is answered
         */
        ApiResponse serve(
                ApiRequest request,
                @Nullable Target target,
                String verb,
                Call call,
                List<Effect> effects)
                throws InterruptedException;
    }

    private final Faults faults;
    private final RequestLog requests;
    private final Backend.Pause pause;
    private final Serving serving;

    FaultLayer(Faults faults, RequestLog requests, Backend.Pause pause, Serving serving) {
        this.faults = faults;
        this.requests = requests;
        this.pause = pause;
        this.serving = serving;
    }

    /** Never throws but for an interrupt; a failure is a Status. */
    ApiResponse handle(ApiRequest request) throws InterruptedException {
        Target target = Target.parse(request.path()).orElse(null);
        String verb = verb(request, target);
        Call call = call(request, target, verb);
        ApiResponse response = guarded(target, request, () -> faulty(request, target, verb, call));
        int code =
                switch (response) {
                    case ApiResponse.Whole whole -> whole.code();
                    case ApiResponse.Streaming ignored -> 200;
                    case ApiResponse.Dropped ignored -> 0;
                };
        requests.add(call.user(), verb, call.resource(), call.subresource(), code);
        return response;
    }

    /** Serves what no fault may strike, without counting it. */
    ApiResponse handleUntouched(ApiRequest request) throws InterruptedException {
        Target target = Target.parse(request.path()).orElse(null);
        String verb = verb(request, target);
        Call call = call(request, target, verb);
        return guarded(
                target, request, () -> serving.serve(request, target, verb, call, List.of()));
    }

    /** What is served, and may fail. */
    @FunctionalInterface
    private interface Answering {
        ApiResponse answer() throws InterruptedException;
    }

    private static ApiResponse guarded(
            @Nullable Target target, ApiRequest request, Answering answering)
            throws InterruptedException {
        try {
            return answering.answer();
        } catch (ApiStatusException e) {
            return Statuses.response(e, target);
        } catch (RuntimeException e) {
            LOG.atError()
                    .addKeyValue("method", request.method())
                    .addKeyValue("path", request.path())
                    .setCause(e)
                    .log("A request failed by a mistake of this server");
            return ApiResponse.json(
                    500,
                    Statuses.failure(
                            500, "InternalError", "Internal error occurred: " + e.getMessage()));
        }
    }

    private ApiResponse faulty(ApiRequest request, @Nullable Target target, String verb, Call call)
            throws InterruptedException {
        if (target == null && !FaultPath.covers(request.path()) && faults.partitions(call)) {
            return new ApiResponse.Dropped();
        }
        List<Effect> effects = target == null ? List.of() : faults.strike(call);
        boolean lostReply = false;
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.Latency(var by) -> pause.sleep(by);
                case Effect.LostRequest ignored -> {
                    return new ApiResponse.Dropped();
                }
                case Effect.Partition ignored -> {
                    return new ApiResponse.Dropped();
                }
                case Effect.Refusal refusal ->
                        throw new ApiStatusException(
                                refusal.code(),
                                refusal.reason(),
                                refusal.message(),
                                List.of(),
                                refusal.retryAfterSeconds());
                case Effect.LostReply ignored -> lostReply = true;
                case Effect.StaleList ignored -> {}
                case Effect.StaleListBySpan ignored -> {}
                case Effect.StaleListAsOf ignored -> {}
                case Effect.WatchStall ignored -> {}
                case Effect.WatchLag ignored -> {}
                case Effect.WatchEnd ignored -> {}
            }
        }
        if (!lostReply) {
            return served(request, target, verb, call, effects);
        }
        if (unheard(request, target, verb, call, effects)
                instanceof ApiResponse.Streaming(var headers, var type, var stream)) {
            stream.close();
        }
        return new ApiResponse.Dropped();
    }

    /** The outcome of a call whose answer gets lost does not matter, a refusal neither. */
    private @Nullable ApiResponse unheard(
            ApiRequest request,
            @Nullable Target target,
            String verb,
            Call call,
            List<Effect> effects)
            throws InterruptedException {
        try {
            return served(request, target, verb, call, effects);
        } catch (ApiStatusException lost) {
            return null;
        }
    }

    /** What was done is told, whether or not the caller hears of it. */
    private ApiResponse served(
            ApiRequest request,
            @Nullable Target target,
            String verb,
            Call call,
            List<Effect> effects)
            throws InterruptedException {
        ApiResponse response = serving.serve(request, target, verb, call, effects);
        if (response instanceof ApiResponse.Whole whole) {
            requests.served(call, whole);
        }
        return response;
    }

    private static String verb(ApiRequest request, @Nullable Target target) {
        return target == null
                ? request.method().toLowerCase(Locale.ROOT)
                : target.verb(request.method(), request.flag("watch")).orElse("");
    }

    private static Call call(ApiRequest request, @Nullable Target target, String verb) {
        return new Call(
                request.identity().name(),
                request.userAgent(),
                verb,
                target == null ? "" : target.plural(),
                target == null ? null : target.subresource(),
                target == null ? null : target.namespace(),
                target == null ? null : target.name());
    }
}
