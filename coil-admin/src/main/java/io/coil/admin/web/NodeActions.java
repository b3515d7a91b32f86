package io.coil.admin.web;

import io.coil.admin.access.Caller;
import io.coil.admin.act.SwitchDesk;
import io.coil.admin.problem.Problem;
import io.coil.admin.snapshot.Current;
import io.coil.core.pool.CollectionMode;

import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

import java.util.List;

/** The form of a node's page. */
@Controller
class NodeActions {
    private final SwitchDesk switches;
    private final NodePage page;

    NodeActions(SwitchDesk switches, NodePage page) {
        this.switches = switches;
        this.page = page;
    }

    @PostMapping("/nodes/{name}/collection-mode")
    String collect(
            Caller caller,
            Current now,
            @PathVariable String name,
            @RequestParam(defaultValue = "") String mode,
            @RequestParam(defaultValue = "") String reason,
            RedirectAttributes flash,
            HttpServletResponse response,
            Model model)
            throws InterruptedException {
        return Forms.answer(
                () -> switches.collectNode(caller, name, mode(mode), reason),
                done -> Forms.path("nodes", name),
                flash,
                response,
                model,
                () -> {
                    model.addAttribute("opened", "collection");
                    model.addAttribute("reason", reason);
                    return page.show(now, name, "1", model);
                });
    }

    /** Nothing chosen: nothing of its own is said. */
    static @Nullable CollectionMode mode(String field) {
        return field.isEmpty()
                ? null
                : CollectionMode.parse(field)
                        .orElseThrow(
                                () ->
                                        Problem.refused(
                                                        List.of(
                                                                "\"%s\" is no mode of collection"
                                                                        .formatted(field)))
                                                .thrown());
    }
}
