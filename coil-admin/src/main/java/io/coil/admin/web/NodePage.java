package io.coil.admin.web;

import io.coil.admin.history.BlockTerm;
import io.coil.admin.history.History;
import io.coil.admin.problem.Problem;
import io.coil.admin.snapshot.BlockView;
import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.NodeView;
import io.coil.admin.snapshot.RequestView;
import io.coil.admin.snapshot.Spoken;
import io.coil.kubernetes.time.Timeline;

import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** {@code /nodes/NAME}: one node, address by address. */
@Controller
class NodePage {
    private final Timeline timeline;
    private final Orders orders;
    private final History history;

    NodePage(Timeline timeline, Orders orders, History history) {
        this.timeline = timeline;
        this.orders = orders;
        this.history = history;
    }

    @GetMapping("/nodes/{name}")
    String show(
            Current now,
            @PathVariable String name,
            @RequestParam(defaultValue = "1") String page,
            Model model) {
        NodeView node =
                now.snapshot()
                        .node(name)
                        .orElseThrow(() -> Problem.notFound("node", name).thrown());
        Instant time = timeline.now();
        List<BlockView> blocks =
                node.blocks().stream()
                        .sorted(
                                Comparator.comparing((BlockView b) -> b.state().tone())
                                        .reversed()
                                        .thenComparing(BlockView::pool)
                                        .thenComparingInt(BlockView::index))
                        .toList();
        Pager pager =
                Pager.of(blocks.size(), Pager.number(page), p -> "/nodes/" + name + "?page=" + p);
        model.addAttribute("node", node);
        model.addAttribute("agent", Tag.of(node.agent()));
        model.addAttribute("agentNote", NodeRow.note(node, time));
        model.addAttribute("lead", lead(node));
        model.addAttribute("switched", Switched.of(node, time));
        model.addAttribute("mode", node.ownMode() == null ? "" : node.ownMode().text());
        model.addAttribute("findings", node.findings().stream().map(FindingRow::of).toList());
        model.addAttribute("reported", Stamp.orNull(node.reported(), time));
        model.addAttribute("agentStarted", Stamp.orNull(node.agentStarted(), time));
        model.addAttribute(
                "requests",
                now.snapshot().requests().stream()
                        .filter(r -> r.node().equals(name))
                        .filter(r -> r.state() == RequestView.State.OPEN)
                        .map(r -> r.pool() + forLong(r, time))
                        .toList());
        model.addAttribute(
                "blocks",
                pager.rows(blocks).stream()
                        .map(b -> BlockRow.of(b, now.snapshot(), time))
                        .toList());
        model.addAttribute("pager", pager);
        model.addAttribute("runs", node.runs());
        Told<BlockTerm> terms = Told.of(() -> history.blocksOf(name));
        model.addAttribute("past", BlockEvent.ofNode(terms.rows(), time));
        model.addAttribute("without", terms.why());
        model.addAttribute("key", orders.newKey());
        return "node";
    }

    private static String forLong(RequestView request, Instant now) {
        return request.created() == null ? "" : ", for " + Stamp.of(request.created(), now).ago();
    }

    private static String lead(NodeView node) {
        return "%s %s of %s: %s of %s addresses in use, %s empty."
                .formatted(
                        node.exists() ? "Holds" : "No Node of that name exists. It still has",
                        Spoken.count(node.total().blocks(), "block"),
                        Spoken.count(node.pools().size(), "pool"),
                        Spoken.number(node.total().used()),
                        Spoken.number(node.total().capacity()),
                        Spoken.count(node.total().empty(), "block"));
    }
}
