package io.coil.admin.web;

import io.coil.admin.access.Caller;
import io.coil.admin.act.PoolDesk;
import io.coil.admin.act.PoolOrder;
import io.coil.admin.problem.Problem;
import io.coil.admin.problem.Refusal;
import io.coil.admin.snapshot.Current;
import io.coil.core.pool.PoolText;

import jakarta.servlet.http.HttpServletResponse;

import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

import java.util.List;

/**
 * {@code /new-pool} and {@code /pools/NAME/grow}: first what would come of it, which changes
 * nothing and has an address; then it is done, judged anew.
 */
@Controller
class NewPoolPage {
    private static final String USUAL_BITS = Integer.toString(PoolText.DEFAULT_BLOCK_SIZE_BITS);

    private final PoolDesk pools;
    private final Orders orders;

    NewPoolPage(PoolDesk pools, Orders orders) {
        this.pools = pools;
        this.orders = orders;
    }

    /**
     * What was filled in.
     *
     * @param pool the pool that grows; empty: a new one is made
     */
    public record Form(
            String pool, String name, String bits, String subnets, String reason, String key) {}

    @GetMapping("/new-pool")
    String preview(
            @RequestParam(defaultValue = "") String name,
            @RequestParam(defaultValue = "") String bits,
            @RequestParam(defaultValue = "") String subnets,
            Current now,
            Model model) {
        String size = bits.isBlank() ? USUAL_BITS : bits;
        return show(new Form("", name, size, subnets, "", orders.newKey()), now, model);
    }

    @PostMapping("/pools")
    String create(
            Caller caller,
            Current now,
            @RequestParam(defaultValue = "") String name,
            @RequestParam(defaultValue = "") String bits,
            @RequestParam(defaultValue = "") String subnets,
            @RequestParam(defaultValue = "") String reason,
            @RequestParam(defaultValue = "") String key,
            RedirectAttributes flash,
            HttpServletResponse response,
            Model model)
            throws InterruptedException {
        Form form = new Form("", name, bits, subnets, reason, key);
        return Forms.answer(
                () -> pools.create(caller, order(form)),
                done -> Forms.path("pools", name.strip()),
                flash,
                response,
                model,
                () -> show(form, now, model));
    }

    @GetMapping("/pools/{name}/grow")
    String previewGrowth(
            Current now,
            @PathVariable String name,
            @RequestParam(defaultValue = "") String subnets,
            Model model) {
        return show(new Form(name, name, "", subnets, "", ""), now, model);
    }

    @PostMapping("/pools/{name}/grow")
    String grow(
            Caller caller,
            Current now,
            @PathVariable String name,
            @RequestParam(defaultValue = "") String subnets,
            @RequestParam(defaultValue = "") String reason,
            RedirectAttributes flash,
            HttpServletResponse response,
            Model model)
            throws InterruptedException {
        Form form = new Form(name, name, "", subnets, reason, "");
        return Forms.answer(
                () -> pools.grow(caller, name, SubnetLines.read(subnets), reason),
                done -> Forms.path("pools", name),
                flash,
                response,
                model,
                () -> show(form, now, model));
    }

    /** With a preview once something has been filled in. */
    private String show(Form form, Current now, Model model) {
        model.addAttribute("form", form);
        model.addAttribute("heading", grows(form) ? "Add subnets to " + form.pool() : "New pool");
        model.addAttribute(
                "pool",
                grows(form)
                        ? now.snapshot()
                                .pool(form.pool())
                                .orElseThrow(() -> Problem.notFound("pool", form.pool()).thrown())
                        : null);
        boolean empty = form.subnets().isBlank() && (form.name().isBlank() || grows(form));
        model.addAttribute("preview", null);
        if (!empty) {
            try {
                model.addAttribute(
                        "preview",
                        grows(form)
                                ? pools.previewGrowth(form.pool(), SubnetLines.read(form.subnets()))
                                : pools.preview(order(form)));
            } catch (Refusal refusal) {
                model.addAttribute("refused", refusal.problem());
            }
        }
        return "new-pool";
    }

    private static boolean grows(Form form) {
        return !form.pool().isEmpty();
    }

    private static PoolOrder order(Form form) {
        return new PoolOrder(
                form.name(),
                bits(form.bits()),
                SubnetLines.read(form.subnets()),
                form.reason(),
                Orders.key(form.key()));
    }

    private static int bits(String text) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            throw Problem.refused(
                            List.of(
                                    "the size of blocks must be a whole number, not \""
                                            + text
                                            + "\""))
                    .thrown();
        }
    }
}
