package io.coil.admin.access;

import io.coil.admin.problem.Problem;
import io.coil.admin.problem.ProblemPages;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpStatus;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.csrf.CsrfException;

import java.io.IOException;
import java.security.Principal;

/** Somebody is known, and may not do that. Says which right is missing. */
final class Denied implements AccessDeniedHandler {
    private static final String SIGN_IN = "/sign-in";

    private final ProblemPages problems;
    private final Refused refused;

    Denied(ProblemPages problems, Refused refused) {
        this.problems = problems;
        this.refused = refused;
    }

    @Override
    public void handle(
            HttpServletRequest request, HttpServletResponse response, AccessDeniedException cause)
            throws IOException {
        Authentication who = SecurityContextHolder.getContext().getAuthentication();
        boolean known = who instanceof CallerAuthentication;
        if (cause instanceof CsrfException && !known && !request.getRequestURI().equals(SIGN_IN)) {
            // A program without a token, or a person whose session has ended: that comes first.
            new Unknown(problems).refuse(request, response);
            return;
        }
        if (who instanceof CallerAuthentication caller
                && Routes.change(request)
                && !(cause instanceof CsrfException)) {
            refused.note(request, caller.getName(), Routes.right(request));
        }
        problems.write(request, response, problem(request, cause));
    }

    private static Problem problem(HttpServletRequest request, AccessDeniedException cause) {
        if (cause instanceof CsrfException) {
            return Problem.of(
                    HttpStatus.FORBIDDEN,
                    "That form is not one of ours, or too old",
                    "It did not carry the token of your session. Nothing has been done; open the page again and send it from there.");
        }
        Right missing = Routes.right(request);
        Principal who = request.getUserPrincipal();
        return Problem.of(
                HttpStatus.FORBIDDEN,
                missing == Right.READ
                        ? "You may not look at this"
                        : "You may look, but not " + missing.words(),
                "%s lacks the right to %s. Nothing has been done. To see for yourself: kubectl auth can-i %s"
                        .formatted(who == null ? "The caller" : who.getName(), missing, missing));
    }
}
