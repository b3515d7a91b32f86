package io.coil.apiserver.rest;

import io.coil.apiserver.auth.Attributes;
import io.coil.apiserver.auth.Authorizer;
import io.coil.apiserver.discovery.Discovery;
import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.Scope.Call;
import io.coil.apiserver.http.ApiRequest;
import io.coil.apiserver.http.ApiResponse;
import io.coil.apiserver.lifecycle.ApiStatusException;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;

/**
 * Serves requests: who may do it, what goes wrong on purpose, who does it. Knows nothing of
 * sockets; may be called by any number of threads.
 */
public final class Dispatcher {
    private static final Set<String> FOR_EVERYBODY =
            Set.of("/healthz", "/livez", "/readyz", "/version");

    private final Authorizer authorizer;
    private final FaultLayer layer;
    private final Resources resources;
    private final Discovery discovery;
    private final FaultPath faultPath;

    public Dispatcher(Backend backend) {
        this.authorizer = backend.authorizer();
        this.layer =
                new FaultLayer(
                        backend.faults(), backend.requests(), backend.pause(), this::authorized);
        this.resources = new Resources(backend);
        this.discovery = new Discovery(backend.types());
        this.faultPath = new FaultPath(backend.faults());
    }

    /** Never throws but for an interrupt; a failure is a Status. */
    public ApiResponse handle(ApiRequest request) throws InterruptedException {
        return layer.handle(request);
    }

    /** The same, spared by faults and not counted. */
    public ApiResponse handleUntouched(ApiRequest request) throws InterruptedException {
        return layer.handleUntouched(request);
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
}
