package io.coil.admin.access;

import io.coil.admin.problem.Problem;
import io.coil.admin.problem.ProblemPages;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpStatus;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

import java.io.IOException;
import java.util.Optional;

/** Whoever sends a token is who the API says it belongs to; a wrong one is never passed over. */
final class BearerFilter extends OncePerRequestFilter {
    private static final String SCHEME = "Bearer ";

    private final Access access;
    private final ProblemPages problems;

    BearerFilter(Access access, ProblemPages problems) {
        this.access = access;
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<Caller> caller = token(request).flatMap(access::caller);
        if (caller.isEmpty()) {
            response.setHeader("WWW-Authenticate", "Bearer");
            problems.write(
                    request,
                    response,
                    Problem.of(
                            HttpStatus.UNAUTHORIZED,
                            "That token is not known",
                            "The Authorization header must be \"Bearer\" and a token that the Kubernetes API accepts."));
            return;
        }
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(new CallerAuthentication(caller.get()));
        SecurityContextHolder.setContext(context);
        chain.doFilter(request, response);
    }

    private static Optional<String> token(HttpServletRequest request) {
        String header = request.getHeader("Authorization");
        return header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? Optional.of(header.substring(SCHEME.length()).strip()).filter(t -> !t.isEmpty())
                : Optional.empty();
    }
}
