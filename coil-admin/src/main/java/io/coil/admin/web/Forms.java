package io.coil.admin.web;

import io.coil.admin.act.Done;
import io.coil.admin.problem.Problem;
import io.coil.admin.problem.Refusal;
import io.coil.kubernetes.api.ApiFailure;

import jakarta.servlet.http.HttpServletResponse;

import org.springframework.ui.Model;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import org.springframework.web.util.UriUtils;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * How a form is answered: a change leads to another page that says what happened; without one the
 * same page says what is wrong, with what was filled in.
 */
final class Forms {
    private Forms() {}

    /** What the form asks for. */
    @FunctionalInterface
    interface Change {
        Done make() throws InterruptedException;
    }

    /**
     * @param next path of the page that says what happened
     * @param again shows the form's page once more; its name
     */
    static String answer(
            Change change,
            Function<Done, String> next,
            RedirectAttributes flash,
            HttpServletResponse response,
            Model model,
            Supplier<String> again)
            throws InterruptedException {
        Problem problem;
        try {
            Done done = change.make();
            flash.addFlashAttribute("done", done);
            return "redirect:" + next.apply(done);
        } catch (Refusal refusal) {
            problem = refusal.problem();
        } catch (ApiFailure failure) {
            problem = Problem.of(failure);
        }
        model.addAttribute("refused", problem);
        String page = again.get();
        response.setStatus(problem.status().value());
        return page;
    }

    /** {@code /kind/NAME}. */
    static String path(String kind, String name) {
        return "/" + kind + "/" + UriUtils.encodePathSegment(name, StandardCharsets.UTF_8);
    }
}
