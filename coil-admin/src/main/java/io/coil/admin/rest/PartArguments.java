package io.coil.admin.rest;

import io.coil.admin.problem.Problem;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.util.UriComponentsBuilder;

import java.lang.reflect.Parameter;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads a {@link Part} from the query. A parameter that is not known is refused: a filter with a
 * typing error would show everything, and a script would act on it.
 */
final class PartArguments implements HandlerMethodArgumentResolver {
    private static final Set<String> OURS = Set.of("limit", "continue", "sort", "fields");

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == Part.class;
    }

    @Override
    public Part resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer view,
            NativeWebRequest request,
            @Nullable WebDataBinderFactory binders) {
        Set<String> known = new TreeSet<>(OURS);
        for (Parameter other : parameter.getExecutable().getParameters()) {
            RequestParam filter = other.getAnnotation(RequestParam.class);
            if (filter != null) {
                known.add(filter.name().isEmpty() ? other.getName() : filter.name());
            }
        }
        for (String name : request.getParameterMap().keySet()) {
            if (!known.contains(name)) {
                throw refused(
                        "There is no parameter " + name,
                        "Known here are %s.".formatted(String.join(", ", known)));
            }
        }
        return new Part(
                limit(request), text(request, "continue"), text(request, "sort"), query(request));
    }

    private static int limit(NativeWebRequest request) {
        String text = text(request, "limit");
        try {
            return text == null ? Part.MOST : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw refused(
                    "Parameter limit cannot be used",
                    "It must be a whole number from 1 to %d.".formatted(Part.MOST));
        }
    }

    private static @Nullable String text(NativeWebRequest request, String name) {
        String text = request.getParameter(name);
        return text == null || text.isBlank() ? null : text.strip();
    }

    /** What makes it the same list: path and all parameters but those of the part alone. */
    private static String query(NativeWebRequest request) {
        HttpServletRequest servlet = request.getNativeRequest(HttpServletRequest.class);
        UriComponentsBuilder query =
                UriComponentsBuilder.fromPath(servlet == null ? "" : servlet.getRequestURI());
        request.getParameterMap().entrySet().stream()
                .filter(e -> !Set.of("limit", "continue", "fields").contains(e.getKey()))
                .sorted(java.util.Map.Entry.comparingByKey())
                .forEach(e -> query.queryParam(e.getKey(), (Object[]) e.getValue()));
        return Digest.of(query.build().encode().toUriString());
    }

    private static RuntimeException refused(String title, String detail) {
        return Problem.of(HttpStatus.BAD_REQUEST, title, detail).thrown();
    }
}
