package io.coil.admin.web;

import io.coil.admin.access.Caller;
import io.coil.admin.act.Order;
import io.coil.admin.problem.Refusal;
import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.RunView;
import io.coil.core.pool.CollectionMode;
import io.coil.kubernetes.time.Timeline;

import jakarta.servlet.http.HttpServletResponse;

import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

import java.util.List;

/** {@code /collections}: what ran, and starting one. */
@Controller
class CollectionsPage {
    private final Timeline timeline;
    private final Orders orders;

    CollectionsPage(Timeline timeline, Orders orders) {
        this.timeline = timeline;
        this.orders = orders;
    }

    /** What somebody filled in, shown again if it cannot be done. */
    public record Form(
            String nodes,
            String pools,
            String blocks,
            boolean dryRun,
            String plan,
            String reason,
            String key) {}

    @GetMapping("/collections")
    String show(
            Current now,
            @RequestParam(defaultValue = "") String nodes,
            @RequestParam(defaultValue = "") String pools,
            @RequestParam(defaultValue = "") String blocks,
            @RequestParam(defaultValue = "1") String page,
            Model model) {
        Form form = new Form(nodes, pools, blocks, true, "", "", orders.newKey());
        return page(now, form, List.of(), Pager.number(page), model);
    }

    @PostMapping("/collections")
    String start(
            Caller caller,
            Current now,
            @RequestParam(defaultValue = "") String nodes,
            @RequestParam(defaultValue = "") String pools,
            @RequestParam(defaultValue = "") String blocks,
            @RequestParam(defaultValue = "true") boolean dryRun,
            @RequestParam(defaultValue = "") String plan,
            @RequestParam(defaultValue = "") String reason,
            @RequestParam(defaultValue = "") String key,
            HttpServletResponse response,
            Model model)
            throws InterruptedException {
        Form form = new Form(nodes, pools, blocks, dryRun, plan, reason, key);
        Order order =
                new Order(
                        Orders.names(nodes),
                        Orders.names(pools),
                        Orders.names(blocks),
                        dryRun,
                        plan,
                        reason,
                        Orders.key(key));
        try {
            return "redirect:/collections/" + orders.start(caller, order);
        } catch (Refusal refusal) {
            if (refusal.problem().errors().isEmpty()) {
                throw refusal;
            }
            response.setStatus(refusal.problem().status().value());
            return page(now, form, refusal.problem().errors(), 1, model);
        }
    }

    private String page(Current now, Form form, List<String> errors, int page, Model model) {
        List<RunView> all = List.copyOf(now.snapshot().runs().values());
        Pager pager = Pager.of(all.size(), page, p -> "/collections?page=" + p);
        long switched =
                now.snapshot().nodes().values().stream()
                        .filter(n -> n.mode() != CollectionMode.ON)
                        .count();
        model.addAttribute("switched", switched);
        model.addAttribute(
                "runs", pager.rows(all).stream().map(r -> RunRow.of(r, timeline.now())).toList());
        model.addAttribute("pager", pager);
        model.addAttribute("form", form);
        model.addAttribute("errors", errors);
        model.addAttribute("nodeCount", now.snapshot().totals().nodes());
        model.addAttribute("poolNames", String.join(", ", now.snapshot().pools().keySet()));
        return "collections";
    }
}
