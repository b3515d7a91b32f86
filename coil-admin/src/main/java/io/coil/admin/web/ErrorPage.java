package io.coil.admin.web;

import io.coil.admin.problem.Problem;
import io.coil.admin.problem.ProblemPages;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.RequestMapping;

import java.io.IOException;

/** What is shown instead of a page: what is wrong, and that nothing was done. */
@Controller
class ErrorPage implements ErrorController {
    private final ProblemPages problems;

    ErrorPage(ProblemPages problems) {
        this.problems = problems;
    }

    @RequestMapping("/error")
    @Nullable String show(HttpServletRequest request, HttpServletResponse response, Model model)
            throws IOException {
        Problem problem = problem(request);
        if (ProblemPages.forProgram(request)) {
            problems.write(request, response, problem);
            return null;
        }
        model.addAttribute("problem", problem);
        response.setStatus(problem.status().value());
        return "error";
    }

    private static Problem problem(HttpServletRequest request) {
        if (request.getAttribute(ProblemPages.ATTRIBUTE) instanceof Problem known) {
            return known;
        }
        Object code = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        HttpStatus status = code instanceof Integer number ? HttpStatus.resolve(number) : null;
        if (status == null) {
            // Nobody is sent here: somebody has typed the address.
            return Problem.of(
                    HttpStatus.NOT_FOUND,
                    "There is no such page",
                    "This is the address of errors.");
        }
        return Problem.of(
                status,
                status.is4xxClientError()
                        ? "That request cannot be served"
                        : "Something is broken here",
                status.getReasonPhrase() + ".");
    }
}
