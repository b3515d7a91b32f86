package io.coil.admin.rest;

import io.coil.admin.problem.Problem;
import io.coil.admin.problem.ProblemPages;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;

import java.io.IOException;
import java.util.concurrent.Semaphore;

/**
 * Serves so many requests at once and no more: the rest is told at once to come again, so that a
 * script in a loop slows itself down and not the people at the pages.
 */
final class OverloadFilter extends OncePerRequestFilter {
    private static final String RETRY_SECONDS = "1";

    private final int most;
    private final Semaphore room;
    private final ProblemPages problems;

    OverloadFilter(int most, ProblemPages problems) {
        this.most = most;
        this.room = new Semaphore(most);
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!room.tryAcquire()) {
            response.setHeader("Retry-After", RETRY_SECONDS);
            problems.write(
                    request,
                    response,
                    Problem.of(
                            HttpStatus.TOO_MANY_REQUESTS,
                            "Too many requests at once",
                            "%d are being served, and more are not taken. Nothing has been done; try again in %s s."
                                    .formatted(most, RETRY_SECONDS)));
            return;
        }
        try {
            chain.doFilter(request, response);
        } finally {
            room.release();
        }
    }
}
