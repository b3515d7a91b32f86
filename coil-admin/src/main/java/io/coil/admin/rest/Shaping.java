package io.coil.admin.rest;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpEntity;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.http.server.ServletServerHttpResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/**
 * The last step of every answer to a GET under {@code /api/v1}: keeps only the {@code fields} asked
 * for, makes CSV of a list if that is wanted, and sends 304 if the caller has it already. The tag
 * of an answer stands for what it says but for its age, so it stays while nothing has changed.
 */
@ControllerAdvice
final class Shaping implements ResponseBodyAdvice<Object> {
    static final MediaType CSV = MediaType.parseMediaType("text/csv");
    private static final List<String> AGE = List.of("asOf", "ageSeconds", "next");

    private final JsonMapper json;

    Shaping(JsonMapper json) {
        this.json = json;
    }

    @Override
    public boolean supports(
            MethodParameter returnType, Class<? extends HttpMessageConverter<?>> converter) {
        Class<?> handler = returnType.getContainingClass();
        return handler.getName().startsWith("io.coil.admin.")
                && handler.isAnnotationPresent(RestController.class);
    }

    @Override
    public @Nullable Object beforeBodyWrite(
            @Nullable Object body,
            MethodParameter returnType,
            MediaType contentType,
            Class<? extends HttpMessageConverter<?>> converter,
            ServerHttpRequest request,
            ServerHttpResponse response) {
        if (!(body instanceof Record said)
                || !(request instanceof ServletServerHttpRequest asked)
                || !(response instanceof ServletServerHttpResponse answer)) {
            return body;
        }
        HttpServletRequest get = asked.getServletRequest();
        HttpServletResponse to = answer.getServletResponse();
        boolean reading = get.getMethod().equals("GET") || get.getMethod().equals("HEAD");
        if (!reading || to.getStatus() != HttpServletResponse.SC_OK) {
            return body;
        }
        return shaped(said, type(returnType), contentType, get, to);
    }

    private @Nullable Object shaped(
            Record said,
            ResolvableType type,
            MediaType contentType,
            HttpServletRequest get,
            HttpServletResponse to) {
        JsonNode tree = json.valueToTree(said);
        Object shaped;
        if (said instanceof Page<?> page) {
            Fields fields = Fields.of(type.getGeneric(0));
            Selection selection = Selection.of(get.getParameter("fields"), fields);
            partHeaders(page, get, to);
            if (contentType.isCompatibleWith(CSV)) {
                shaped = Csv.of(selection.columns(fields), tree.get("items"));
            } else {
                ((ObjectNode) tree).set("items", selection.of(tree.get("items")));
                shaped = tree;
            }
        } else {
            shaped = Selection.of(get.getParameter("fields"), Fields.of(type)).of(tree);
        }
        to.addHeader("Vary", "Accept");
        return new ServletWebRequest(get, to).checkNotModified(tag(shaped)) ? null : shaped;
    }

    /** Weak: two answers with one tag may differ in their age. */
    private String tag(Object shaped) {
        if (!(shaped instanceof ObjectNode tree)) {
            return "W/\"" + Digest.of(shaped.toString()) + "\"";
        }
        ObjectNode ageless = tree.objectNode();
        tree.properties().stream()
                .filter(e -> !AGE.contains(e.getKey()))
                .forEach(e -> ageless.set(e.getKey(), e.getValue()));
        return "W/\"" + Digest.of(json.writeValueAsBytes(ageless)) + "\"";
    }

    /** For those who read CSV, whose body has no place for it. */
    private static void partHeaders(
            Page<?> page, HttpServletRequest get, HttpServletResponse response) {
        response.setHeader("Coil-Total", Integer.toString(page.total()));
        if (page.next() == null) {
            return;
        }
        StringBuilder next = new StringBuilder(get.getRequestURI()).append('?');
        if (get.getQueryString() != null) {
            for (String parameter : get.getQueryString().split("&", -1)) {
                if (!parameter.isEmpty() && !parameter.startsWith("continue=")) {
                    next.append(parameter).append('&');
                }
            }
        }
        next.append("continue=").append(page.next());
        response.setHeader("Link", "<" + next + ">; rel=\"next\"");
    }

    private static ResolvableType type(MethodParameter returnType) {
        ResolvableType type = ResolvableType.forMethodParameter(returnType);
        return HttpEntity.class.isAssignableFrom(type.resolve(Object.class))
                ? type.as(HttpEntity.class).getGeneric(0)
                : type;
    }
}
