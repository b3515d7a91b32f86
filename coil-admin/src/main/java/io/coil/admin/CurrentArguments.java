package io.coil.admin;

import io.coil.admin.access.Caller;
import io.coil.admin.access.CallerAuthentication;
import io.coil.admin.problem.Problem;
import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.SnapshotKeeper;

import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/**
 * Gives handlers the image of now, the same one for the whole request, and the caller. Says in the
 * answer's headers how old the image is.
 */
final class CurrentArguments implements HandlerMethodArgumentResolver {
    private final SnapshotKeeper keeper;

    CurrentArguments(SnapshotKeeper keeper) {
        this.keeper = keeper;
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == Current.class
                || parameter.getParameterType() == Caller.class;
    }

    @Override
    public Object resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer view,
            NativeWebRequest request,
            @Nullable WebDataBinderFactory binders) {
        return parameter.getParameterType() == Caller.class ? caller() : current(request);
    }

    private static Caller caller() {
        Authentication who = SecurityContextHolder.getContext().getAuthentication();
        if (who instanceof CallerAuthentication known) {
            return known.getPrincipal();
        }
        throw new IllegalStateException("a handler that needs a caller is open to everybody");
    }

    private Current current(NativeWebRequest request) {
        Current current = known(request);
        request.setAttribute(Current.class.getName(), current, RequestAttributes.SCOPE_REQUEST);
        HttpServletResponse response = request.getNativeResponse(HttpServletResponse.class);
        if (response != null) {
            response.setHeader("Coil-As-Of", current.asOf().toString());
            response.setHeader("Age", Long.toString(current.age().toSeconds()));
        }
        return current;
    }

    private Current known(NativeWebRequest request) {
        Object known =
                request.getAttribute(Current.class.getName(), RequestAttributes.SCOPE_REQUEST);
        if (known instanceof Current current) {
            return current;
        }
        return keeper.current()
                .orElseThrow(
                        () ->
                                Problem.of(
                                                HttpStatus.SERVICE_UNAVAILABLE,
                                                "Not everything has been read yet",
                                                "This program has just started, or cannot reach the Kubernetes API. Try again in a little.")
                                        .thrown());
    }
}
