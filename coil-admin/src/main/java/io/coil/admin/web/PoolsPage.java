package io.coil.admin.web;

import io.coil.admin.act.Deletion;
import io.coil.admin.history.History;
import io.coil.admin.history.PoolUse;
import io.coil.admin.problem.Problem;
import io.coil.admin.snapshot.BlockView;
import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.NodeView;
import io.coil.admin.snapshot.PoolView;
import io.coil.admin.snapshot.Spoken;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.time.Timeline;

import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * {@code /pools} and {@code /pools/NAME}: how full, who holds it, who is in the way of deletion.
 */
@Controller
class PoolsPage {
    private static final int TOP = 10;

    private final Timeline timeline;
    private final Orders orders;
    private final History history;

    PoolsPage(Timeline timeline, Orders orders, History history) {
        this.timeline = timeline;
        this.orders = orders;
        this.history = history;
    }

    /** A node's share of a pool. */
    public record Holder(String node, int blocks, Gauge addresses) {}

    /** Which namespaces use a pool. */
    public record Users(String pool, String namespaces) {}

    @GetMapping("/pools")
    String all(Current now, Model model) {
        var pools = now.snapshot().pools().values();
        model.addAttribute("pools", pools.stream().map(PoolRow::of).toList());
        model.addAttribute(
                "lead",
                "%s with %s blocks, %s granted."
                        .formatted(
                                Spoken.count(pools.size(), "pool"),
                                Spoken.number(now.snapshot().totals().blocksTotal()),
                                Spoken.number(now.snapshot().totals().blocks())));
        model.addAttribute(
                "users",
                pools.stream().map(pool -> new Users(pool.name(), namespaces(pool))).toList());
        return "pools";
    }

    @GetMapping("/pools/{name}")
    String one(
            Current now,
            @PathVariable String name,
            @RequestParam(defaultValue = "1") String page,
            Model model) {
        PoolView pool =
                now.snapshot()
                        .pool(name)
                        .orElseThrow(() -> Problem.notFound("pool", name).thrown());
        Instant time = timeline.now();
        List<BlockView> blocks =
                pool.blocks().stream()
                        .sorted(
                                Comparator.comparing((BlockView b) -> b.state().tone())
                                        .reversed()
                                        .thenComparingInt(BlockView::index))
                        .toList();
        Pager pager =
                Pager.of(blocks.size(), Pager.number(page), p -> "/pools/" + name + "?page=" + p);
        model.addAttribute("pool", pool);
        model.addAttribute("row", PoolRow.of(pool));
        model.addAttribute("lead", lead(pool));
        model.addAttribute("deleting", Stamp.orNull(pool.deleting(), time));
        model.addAttribute("findings", pool.findings().stream().map(FindingRow::of).toList());
        model.addAttribute("namespaces", namespaces(pool));
        model.addAttribute("map", BlockMap.of(pool));
        model.addAttribute("legend", BlockMap.legend(pool));
        model.addAttribute("holders", holders(now, name));
        model.addAttribute(
                "blocks",
                pager.rows(blocks).stream()
                        .map(b -> BlockRow.of(b, now.snapshot(), time))
                        .toList());
        model.addAttribute(
                "inTheWay",
                pool.deleting() == null
                        ? List.of()
                        : InTheWay.of(pool, pager.rows(blocks), now.snapshot(), time));
        model.addAttribute("switched", Switched.of(pool, time));
        model.addAttribute("mode", pool.ownMode() == null ? "" : pool.ownMode().text());
        model.addAttribute("pager", pager);
        Told<PoolUse> days = Told.of(() -> history.use(pool.uid(), PoolHistory.DAYS));
        model.addAttribute("use", PoolHistory.of(pool, days.rows(), time));
        model.addAttribute("key", orders.newKey());
        return "pool";
    }

    private static String lead(PoolView pool) {
        if (pool.problem() != null) {
            return "It cannot be used: " + pool.problem() + ".";
        }
        String counts =
                "%s of %s blocks granted, %s of %s addresses in use."
                        .formatted(
                                Spoken.number(pool.blocks().size()),
                                Spoken.number(pool.blocksTotal()),
                                Spoken.number(pool.total().used()),
                                Spoken.number(pool.addressesTotal()));
        return pool.deleting() == null ? counts : Deletion.sentence(pool) + held(pool);
    }

    private static String held(PoolView pool) {
        return pool.blocks().isEmpty()
                ? ""
                : " %s empty, and %s in use. It goes when the last block is gone."
                        .formatted(
                                pool.total().empty() == 1
                                        ? "1 is"
                                        : Spoken.number(pool.total().empty()) + " are",
                                pool.total().used() == 1
                                        ? "1 address is"
                                        : Spoken.count(pool.total().used(), "address") + " are");
    }

    private static List<Holder> holders(Current now, String pool) {
        return now.snapshot().nodes().values().stream()
                .filter(n -> n.pools().containsKey(pool))
                .sorted(
                        Comparator.comparingInt((NodeView n) -> n.of(pool).blocks())
                                .reversed()
                                .thenComparing(NodeView::name))
                .limit(TOP)
                .map(n -> new Holder(n.name(), n.of(pool).blocks(), Gauge.of(n.of(pool))))
                .toList();
    }

    private static String namespaces(PoolView pool) {
        String named =
                pool.namespaces().size() > 20
                        ? Spoken.count(pool.namespaces().size(), "namespace") + " by annotation"
                        : String.join(", ", pool.namespaces());
        if (!pool.name().equals(Names.DEFAULT_POOL)) {
            return named.isEmpty() ? "none" : named;
        }
        return named.isEmpty()
                ? "all without an annotation"
                : "all without an annotation, " + named;
    }
}
