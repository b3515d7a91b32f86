package io.coil.admin.web;

import io.coil.admin.access.Caller;
import io.coil.admin.act.Done;
import io.coil.admin.act.ReleaseDesk;
import io.coil.admin.act.ReturnDesk;
import io.coil.admin.act.SwitchDesk;
import io.coil.admin.snapshot.Current;
import io.coil.core.pool.BlockName;

import jakarta.servlet.http.HttpServletResponse;

import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The forms of a block's page. */
@Controller
class BlockActions {
    private final ReturnDesk returns;
    private final ReleaseDesk releases;
    private final SwitchDesk switches;
    private final BlockPage page;

    BlockActions(ReturnDesk returns, ReleaseDesk releases, SwitchDesk switches, BlockPage page) {
        this.returns = returns;
        this.releases = releases;
        this.switches = switches;
        this.page = page;
    }

    @PostMapping("/blocks/{name}/return")
    String giveBack(
            Caller caller,
            Current now,
            @PathVariable String name,
            @RequestParam(defaultValue = "") String uid,
            @RequestParam(defaultValue = "") String reason,
            @RequestParam(defaultValue = "") String key,
            RedirectAttributes flash,
            HttpServletResponse response,
            Model model)
            throws InterruptedException {
        return Forms.answer(
                () ->
                        returns.giveBack(
                                caller, name, uid.isEmpty() ? null : uid, reason, Orders.key(key)),
                done -> next(done, now, name),
                flash,
                response,
                model,
                () -> again(now, name, "return", reason, model));
    }

    @PostMapping("/blocks/{name}/drain")
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
                () -> switches.drainBlock(caller, name, drain, reason),
                done -> next(done, now, name),
                flash,
                response,
                model,
                () -> again(now, name, "drain", reason, model));
    }

    @PostMapping("/blocks/{name}/release")
    String release(
            Caller caller,
            Current now,
            @PathVariable String name,
            @RequestParam(defaultValue = "") String uid,
            @RequestParam(defaultValue = "") String block,
            @RequestParam(defaultValue = "false") boolean fenced,
            @RequestParam(defaultValue = "") String reason,
            RedirectAttributes flash,
            HttpServletResponse response,
            Model model)
            throws InterruptedException {
        ReleaseDesk.Order order =
                new ReleaseDesk.Order(name, uid.isEmpty() ? null : uid, block, fenced, reason);
        return Forms.answer(
                () -> releases.release(caller, order),
                done -> next(done, now, name),
                flash,
                response,
                model,
                () -> again(now, name, "release", reason, model));
    }

    private String again(Current now, String name, String form, String reason, Model model) {
        model.addAttribute("opened", form);
        model.addAttribute("reason", reason);
        return page.show(now, name, model);
    }

    /** A block that has gone has no page: what became of it is said on its pool's. */
    private static String next(Done done, Current now, String name) {
        if (done.collection() != null) {
            return Forms.path("collections", done.collection());
        }
        if (done.state() != Done.State.GONE) {
            return Forms.path("blocks", name);
        }
        return BlockName.parse(name)
                .map(BlockName::pool)
                .filter(now.snapshot().pools()::containsKey)
                .map(pool -> Forms.path("pools", pool))
                .orElse("/pools");
    }
}
