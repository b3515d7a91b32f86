package io.coil.admin.history;

import io.coil.kubernetes.time.Timeline;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.filter.OncePerRequestFilter;

import java.io.IOException;

/**
 * Gives each request a short name, which stands in the answer's header {@code Coil-Request}, in the
 * log and in the audit. What callers send of that kind is not taken: they could fake another's.
 */
final class RequestNames extends OncePerRequestFilter {
    static final String ATTRIBUTE = RequestNames.class.getName();
    private static final int BITS = 48;

    private final Timeline timeline;

    RequestNames(Timeline timeline) {
        this.timeline = timeline;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        long number = timeline.random().nextLong() >>> (Long.SIZE - BITS);
        String name = "%012x".formatted(number);
        request.setAttribute(ATTRIBUTE, name);
        response.setHeader("Coil-Request", name);
        chain.doFilter(request, response);
    }
}
