package io.coil.admin.access;

import io.coil.admin.problem.Problem;
import io.coil.admin.problem.ProblemPages;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpStatus;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.web.util.UriUtils;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Nobody is signed in: people go to the sign-in page and come back, programs get a 401. */
final class Unknown implements AuthenticationEntryPoint {
    private final ProblemPages problems;

    Unknown(ProblemPages problems) {
        this.problems = problems;
    }

    @Override
    public void commence(
            HttpServletRequest request, HttpServletResponse response, AuthenticationException cause)
            throws IOException {
        boolean looks = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
        if (looks && !ProblemPages.forProgram(request)) {
            String query = request.getQueryString();
            String next = request.getRequestURI() + (query == null ? "" : "?" + query);
            String home = next.equals("/") ? "" : "?next=" + encoded(next);
            response.sendRedirect("/sign-in" + home);
            return;
        }
        refuse(request, response);
    }

    /** What is not looking, and what comes from a program. */
    void refuse(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setHeader("WWW-Authenticate", "Bearer");
        problems.write(
                request,
                response,
                Problem.of(
                        HttpStatus.UNAUTHORIZED,
                        "Sign in first",
                        "Send a token that the Kubernetes API accepts: Authorization: Bearer TOKEN. Nothing has been done."));
    }

    private static String encoded(String text) {
        return UriUtils.encode(text, StandardCharsets.UTF_8);
    }
}
