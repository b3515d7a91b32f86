package io.coil.admin.web;

import io.coil.admin.access.Caller;
import io.coil.admin.act.Done;
import io.coil.admin.act.PoolDesk;
import io.coil.admin.act.SwitchDesk;
import io.coil.admin.snapshot.Current;

import jakarta.servlet.http.HttpServletResponse;

import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The forms of a pool's page. */
@Controller
class PoolActions {
    private final PoolDesk pools;
    private final SwitchDesk switches;
    private final PoolsPage page;

    PoolActions(PoolDesk pools, SwitchDesk switches, PoolsPage page) {
        this.pools = pools;
        this.switches = switches;
        this.page = page;
    }

    @PostMapping("/pools/{name}/drain")
    String drain(
            Caller caller,
            Current now,
            @PathVariable String name,
            @RequestParam(defaultValue = "true") boolean drain,
            @RequestParam(defaultValue = "") String reason,
            RedirectAttributes flash,
            HttpServletResponse response,
            Model model)
            throws InterruptedException {
        return Forms.answer(
                () -> switches.drainPool(caller, name, drain, reason),
                done -> Forms.path("pools", name),
                flash,
                response,
                model,
                () -> again(now, name, "drain", reason, model));
    }

    @PostMapping("/pools/{name}/collection-mode")
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
                () -> switches.collectPool(caller, name, NodeActions.mode(mode), reason),
                done -> Forms.path("pools", name),
                flash,
                response,
                model,
                () -> again(now, name, "collection", reason, model));
    }

    @PostMapping("/pools/{name}/delete")
    String delete(
            Caller caller,
            Current now,
            @PathVariable String name,
            @RequestParam(defaultValue = "") String uid,
            @RequestParam(defaultValue = "") String pool,
            @RequestParam(defaultValue = "") String reason,
            RedirectAttributes flash,
            HttpServletResponse response,
            Model model)
            throws InterruptedException {
        return Forms.answer(
                () -> pools.delete(caller, name, uid.isEmpty() ? null : uid, pool, reason),
                done -> done.state() == Done.State.GONE ? "/pools" : Forms.path("pools", name),
                flash,
                response,
                model,
                () -> again(now, name, "delete", reason, model));
    }

    private String again(Current now, String name, String form, String reason, Model model) {
        model.addAttribute("opened", form);
        model.addAttribute("reason", reason);
        return page.one(now, name, "1", model);
    }
}
