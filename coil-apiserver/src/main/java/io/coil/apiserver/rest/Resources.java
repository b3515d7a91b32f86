package io.coil.apiserver.rest;

import io.coil.apiserver.auth.Reviews;
import io.coil.apiserver.discovery.VirtualResource;
import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.Scope.Call;
import io.coil.apiserver.http.ApiRequest;
import io.coil.apiserver.http.ApiResponse;
import io.coil.apiserver.http.JsonText;
import io.coil.apiserver.lifecycle.ApiStatusException;
import io.coil.apiserver.lifecycle.Operations.Part;
import io.coil.apiserver.resource.ResourceRegistry;
import io.coil.apiserver.resource.ResourceType;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/** Finds the code for a resource, subresource and verb. */
final class Resources {
    private final ResourceRegistry types;
    private final Reviews reviews;
    private final ObjectVerbs objects;
    private final ScaleVerbs scales;
    private final PodVerbs pods;

    Resources(Backend backend) {
        this.types = backend.types();
        this.reviews = backend.reviews();
        this.objects = new ObjectVerbs(backend);
        this.scales = new ScaleVerbs(backend);
        this.pods = new PodVerbs(backend);
    }

    /**
     * @param effects faults that change what is answered
     */
    ApiResponse serve(
            ApiRequest request, Target target, String verb, Call call, List<Effect> effects) {
        Optional<VirtualResource> virtual =
                VirtualResource.find(target.group(), target.version(), target.plural());
        if (virtual.isPresent() && target.name() == null) {
            return review(request, virtual.get(), target, verb);
        }
        ResourceType type =
                types.find(target.group(), target.version(), target.plural())
                        .orElseThrow(Statuses::notFound);
        if (!type.namespaced() && target.namespace() != null) {
            throw Statuses.notFound();
        }
        boolean acrossNamespaces = type.namespaced() && target.namespace() == null;
        if (acrossNamespaces && target.name() != null) {
            throw Statuses.notFound();
        }
        if (acrossNamespaces && verb.equals("create")) {
            throw Statuses.methodNotAllowed();
        }
        String subresource = target.subresource();
        return subresource == null
                ? object(request, type, target, verb, call, effects)
                : subresource(request, type, target, verb, subresource);
    }

    private ApiResponse object(
            ApiRequest request,
            ResourceType type,
            Target target,
            String verb,
            Call call,
            List<Effect> effects) {
        return switch (verb) {
            case "get" -> objects.get(request, type, target);
            case "list" -> objects.list(request, type, target, effects);
            case "watch" -> objects.watch(request, type, target, call);
            case "create" -> {
                if (target.name() != null) {
                    throw Statuses.methodNotAllowed();
                }
                yield objects.create(request, type, target);
            }
            case "update" -> objects.replace(request, type, target, Part.MAIN);
            case "patch" -> objects.patch(request, type, target, Part.MAIN);
            case "delete" -> objects.delete(request, type, target);
            case "deletecollection" -> objects.deleteCollection(request, type, target);
            default -> throw Statuses.methodNotAllowed();
        };
    }

    private ApiResponse subresource(
            ApiRequest request, ResourceType type, Target target, String verb, String subresource) {
        boolean pod = type.group().isEmpty() && type.plural().equals("pods");
        String wanted = subresource + " " + verb;
        if (subresource.equals("status") && type.statusSubresource()) {
            return switch (verb) {
                case "get" -> objects.get(request, type, target);
                case "update" -> objects.replace(request, type, target, Part.STATUS);
                case "patch" -> objects.patch(request, type, target, Part.STATUS);
                default -> throw Statuses.methodNotAllowed();
            };
        }
        if (subresource.equals("scale") && type.scaleSubresource()) {
            return scales.serve(request, type, target, verb);
        }
        if (type.plural().equals("serviceaccounts") && wanted.equals("token create")) {
            objects.get(request, type, target);
            return ApiResponse.json(
                    201,
                    reviews.tokenRequest(
                            String.valueOf(target.namespace()),
                            ObjectVerbs.name(target),
                            JsonText.object(request)));
        }
        if (pod) {
            return switch (wanted) {
                case "log get" -> pods.log(request, type, target);
                case "binding create" -> pods.bind(request, type, target);
                case "eviction create" -> pods.evict(request, type, target);
                default -> throw refused(subresource);
            };
        }
        throw Statuses.notFound();
    }

    private static ApiStatusException refused(String subresource) {
        return switch (subresource) {
            case "exec", "attach", "portforward", "proxy", "ephemeralcontainers" ->
                    new ApiStatusException(
                            501,
                            "NotImplemented",
                            "pods/" + subresource + " is not served by this API server");
            default -> Statuses.notFound();
        };
    }

    private ApiResponse review(
            ApiRequest request, VirtualResource virtual, Target target, String verb) {
        if (!verb.equals("create")) {
            throw Statuses.methodNotAllowed();
        }
        @Nullable String namespace = virtual.namespaced() ? target.namespace() : null;
        return ApiResponse.json(
                201,
                reviews.review(
                        virtual.plural(), JsonText.object(request), namespace, request.identity()));
    }
}
