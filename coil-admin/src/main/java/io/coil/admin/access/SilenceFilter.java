package io.coil.admin.access;

import io.coil.admin.problem.Problem;
import io.coil.admin.problem.ProblemPages;
import io.coil.kubernetes.api.ApiFailure;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.filter.OncePerRequestFilter;

import java.io.IOException;

/** The API could not be asked who somebody is, or what they may: then nothing is allowed. */
final class SilenceFilter extends OncePerRequestFilter {
    private final ProblemPages problems;

    SilenceFilter(ProblemPages problems) {
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            chain.doFilter(request, response);
        } catch (ApiFailure e) {
            problems.write(request, response, Problem.of(e));
        }
    }
}
