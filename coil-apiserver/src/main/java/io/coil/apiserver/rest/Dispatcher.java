package io.coil.apiserver.rest;

import io.coil.apiserver.auth.Attributes;
import io.coil.apiserver.auth.Authorizer;
import io.coil.apiserver.discovery.Discovery;
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
import java.util.Set;

/**
 * Serves requests: who may do it, what goes wrong on purpose, who does it. Knows nothing of
 * sockets; may be called by any number of threads.
 */
public final class Dispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
    private static final Set<String> FOR_EVERYBODY =
            Set.of("/healthz", "/livez", "/readyz", "/version");

    private final Authorizer authorizer;
    private final Faults faults;
    private final RequestLog requests;
    private final Backend.Pause pause;
    private final Resources resources;
    private final Discovery discovery;
    private final FaultPath faultPath;

    public Dispatcher(Backend backend) {
        this.authorizer = backend.authorizer();
        this.faults = backend.faults();
        this.requests = backend.requests();
        this.pause = backend.pause();
        this.resources = new Resources(backend);
        this.discovery = new Discovery(backend.types());
        this.faultPath = new FaultPath(backend.faults());
    }

    /** Never throws but for an interrupt; a failure is a Status. */
    public ApiResponse handle(ApiRequest request) throws InterruptedException {
        Target target = Target.parse(request.path()).orElse(null);
        String verb = verb(request, target);
        Call call = call(request, target, verb);
        ApiResponse response = guarded(request, target, verb, call);
        int code =
                switch (response) {
                    case ApiResponse.Whole whole -> whole.code();
                    case ApiResponse.Streaming ignored -> 200;
                    case ApiResponse.Dropped ignored -> 0;
                };
        requests.add(call.user(), verb, call.resource(), call.subresource(), code);
        return response;
    }

    private ApiResponse guarded(ApiRequest request, @Nullable Target target, String verb, Call call)
            throws InterruptedException {
        try {
            return faulty(request, target, verb, call);
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
                case Effect.WatchStall ignored -> {}
                case Effect.WatchLag ignored -> {}
                case Effect.WatchEnd ignored -> {}
            }
        }
        if (!lostReply) {
            return authorized(request, target, verb, call, effects);
        }
        if (guardedAuthorized(request, target, verb, call, effects)
                instanceof ApiResponse.Streaming(var headers, var type, var stream)) {
            stream.close();
        }
        return new ApiResponse.Dropped();
    }

    /** The outcome of a call whose answer gets lost does not matter, a refusal neither. */
    private @Nullable ApiResponse guardedAuthorized(
            ApiRequest request,
            @Nullable Target target,
            String verb,
            Call call,
            List<Effect> effects) {
        try {
            return authorized(request, target, verb, call, effects);
        } catch (ApiStatusException lost) {
            return null;
        }
    }

    private ApiResponse authorized(
            ApiRequest request,
            @Nullable Target target,
            String verb,
            Call call,
            List<Effect> effects) {
        if (request.identity().anonymous() && !FOR_EVERYBODY.contains(request.path())) {
            throw new ApiStatusException(401, "Unauthorized", "Unauthorized");
        }
        Attributes attributes =
                target == null
                        ? Attributes.ofPath(request.identity(), verb, request.path())
                        : new Attributes(
                                request.identity(),
                                verb,
                                target.group(),
                                target.plural(),
                                target.subresource(),
                                target.policyNamespace(),
                                target.name(),
                                null);
        if (!authorizer.allows(attributes)) {
            throw new ApiStatusException(403, "Forbidden", attributes.refusal());
        }
        if (target != null) {
            if (verb.isEmpty()) {
                throw Statuses.methodNotAllowed();
            }
            return resources.serve(request, target, verb, call, effects);
        }
        if (FaultPath.covers(request.path())) {
            return faultPath.serve(request);
        }
        return discovery.serve(request).orElseThrow(Statuses::notFound);
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
