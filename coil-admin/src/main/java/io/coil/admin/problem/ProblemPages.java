package io.coil.admin.problem;

import io.coil.admin.snapshot.SnapshotKeeper;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Tells of a problem: a page for people, {@code application/problem+json} for programs. */
public final class ProblemPages {
    /** Where the error page finds the {@link Problem}. */
    public static final String ATTRIBUTE = ProblemPages.class.getName();

    private final JsonMapper json;
    private final SnapshotKeeper keeper;

    public ProblemPages(JsonMapper json, SnapshotKeeper keeper) {
        this.json = json;
        this.keeper = keeper;
    }

    /** Whether the other end reads JSON rather than a page. */
    public static boolean forProgram(HttpServletRequest request) {
        String path = path(request);
        String accept = request.getHeader("Accept");
        return path.startsWith("/api/")
                || path.startsWith("/v3/")
                || path.startsWith("/actuator")
                || request.getHeader("Authorization") != null
                || (accept != null && accept.contains("json") && !accept.contains("html"));
    }

    /** What was asked for, also where an error is told of. */
    private static String path(HttpServletRequest request) {
        return request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) instanceof String asked
                ? asked
                : request.getRequestURI();
    }

    public void write(HttpServletRequest request, HttpServletResponse response, Problem problem)
            throws IOException {
        if (!forProgram(request)) {
            request.setAttribute(ATTRIBUTE, problem);
            response.sendError(problem.status().value());
            return;
        }
        response.setStatus(problem.status().value());
        response.setContentType("application/problem+json");
        response.setCharacterEncoding("UTF-8");
        response.getOutputStream().write(json.writeValueAsBytes(fields(request, problem)));
    }

    private Map<String, Object> fields(HttpServletRequest request, Problem problem) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("type", "about:blank");
        fields.put("title", problem.title());
        fields.put("status", problem.status().value());
        fields.put("detail", problem.detail());
        fields.put("instance", path(request));
        if (!problem.errors().isEmpty()) {
            fields.put("errors", problem.errors());
        }
        keeper.current()
                .ifPresent(
                        current -> {
                            fields.put("asOf", current.asOf().toString());
                            fields.put("ageSeconds", current.age().toSeconds());
                        });
        return fields;
    }
}
