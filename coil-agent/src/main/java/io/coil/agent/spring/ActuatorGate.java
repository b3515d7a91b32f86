package io.coil.agent.spring;

import io.coil.kubernetes.access.Lookers;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * What names nodes and blocks is for those who may look at them; health and metrics are for
 * everybody. Anything that is not said to be open here needs a token.
 */
final class ActuatorGate implements Filter {
    private static final Set<String> OPEN =
            Set.of(
                    "/metrics",
                    "/actuator/prometheus",
                    "/actuator/health",
                    "/healthz",
                    "/readyz",
                    "/error");
    private static final String OPEN_BELOW = "/actuator/health/";

    private final Lookers lookers;

    ActuatorGate(Lookers lookers) {
        this.lookers = lookers;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest asked = (HttpServletRequest) request;
        HttpServletResponse answer = (HttpServletResponse) response;
        if (isCrooked(asked.getRequestURI())) {
            refuse(answer, 400, "Write the path without . and ..");
            return;
        }
        if (isOpen(asked.getRequestURI())) {
            chain.doFilter(request, response);
            return;
        }
        switch (lookers.judge(asked.getHeader("Authorization"))) {
            case MAY_LOOK -> chain.doFilter(request, response);
            case UNKNOWN -> {
                answer.setHeader("WWW-Authenticate", "Bearer");
                refuse(answer, 401, "Send a token that the Kubernetes API accepts");
            }
            case MAY_NOT ->
                    refuse(answer, 403, "You lack the right to get addressblocks.coil.cybozu.com");
            case NOBODY_TO_ASK ->
                    refuse(answer, 503, "The Kubernetes API cannot be asked who you are");
        }
    }

    /** Each reader of such a path finds another thing, and Spring's health endpoint fails at it. */
    private static boolean isCrooked(String path) {
        return (path + "/").contains("/./") || (path + "/").contains("/../");
    }

    /** As it was sent: what is written in another way is not open. */
    private static boolean isOpen(String path) {
        return OPEN.contains(path)
                || (path.startsWith(OPEN_BELOW)
                        && path.chars().noneMatch(c -> c == '.' || c == ';' || c == '%'));
    }

    private static void refuse(HttpServletResponse response, int status, String title)
            throws IOException {
        response.setStatus(status);
        response.setContentType("application/problem+json");
        response.getOutputStream()
                .write(
                        "{\"type\":\"about:blank\",\"title\":\"%s\",\"status\":%d}"
                                .formatted(title, status)
                                .getBytes(StandardCharsets.UTF_8));
    }
}
