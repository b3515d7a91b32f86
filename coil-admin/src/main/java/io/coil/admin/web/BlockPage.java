package io.coil.admin.web;

import io.coil.admin.history.AuditQuery;
import io.coil.admin.history.History;
import io.coil.admin.history.Noted;
import io.coil.admin.problem.Problem;
import io.coil.admin.snapshot.BlockState;
import io.coil.admin.snapshot.BlockView;
import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.NodeView;
import io.coil.admin.snapshot.PoolView;
import io.coil.admin.snapshot.Spoken;
import io.coil.core.pool.BlockName;
import io.coil.core.pool.CollectionMode;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

import java.time.Instant;
import java.util.List;

/** {@code /blocks/NAME}: who uses it. */
@Controller
class BlockPage {
    private static final int MOST = 100;

    private final Timeline timeline;
    private final Orders orders;
    private final History history;

    BlockPage(Timeline timeline, Orders orders, History history) {
        this.timeline = timeline;
        this.orders = orders;
        this.history = history;
    }

    @GetMapping("/blocks/{name}")
    String show(Current now, @PathVariable String name, Model model) {
        Instant time = timeline.now();
        Told<BlockEvent> past = past(name, time);
        model.addAttribute("past", past.rows());
        model.addAttribute("without", past.why());
        BlockView block = now.snapshot().blocks().get(name);
        if (block == null) {
            return gone(name, now, past, model);
        }
        NodeView node = block.node() == null ? null : now.snapshot().nodes().get(block.node());
        List<Cells.Cell> cells = Cells.of(block, now.snapshot());
        model.addAttribute("block", block);
        model.addAttribute("state", Tag.of(block.state()));
        model.addAttribute("lead", lead(block));
        model.addAttribute("node", node);
        model.addAttribute("reported", node == null ? null : Stamp.orNull(node.reported(), time));
        model.addAttribute("emptySince", Stamp.orNull(block.emptySince(), time));
        model.addAttribute("granted", Stamp.orNull(block.granted(), time));
        model.addAttribute("deleting", Stamp.orNull(block.deleting(), time));
        model.addAttribute("knownPool", now.snapshot().pools().containsKey(block.pool()));
        model.addAttribute("cells", cells);
        model.addAttribute("used", cells.stream().filter(Cells.Cell::used).toList());
        model.addAttribute("old", block.state() == BlockState.DEAD);
        model.addAttribute(
                "findings",
                now.snapshot().findings().stream()
                        .filter(f -> name.equals(f.block()))
                        .map(FindingRow::of)
                        .toList());
        model.addAttribute("switched", Switched.of(block, now.snapshot(), time));
        model.addAttribute("returnable", returnable(block));
        model.addAttribute("drainable", drainable(block));
        model.addAttribute("notReady", node == null ? null : Stamp.orNull(node.readySince(), time));
        model.addAttribute("key", orders.newKey());
        return "block";
    }

    /** What happened to blocks of that name, and what people did to them. */
    private Told<BlockEvent> past(String name, Instant time) {
        return Told.of(
                () -> {
                    List<Noted> audit =
                            history.audit(new AuditQuery("", "", name, null, null), 0, MOST);
                    return BlockEvent.ofBlock(
                            history.block(name),
                            audit.stream()
                                    .filter(e -> e.kind().equals("block") && e.name().equals(name))
                                    .toList(),
                            time);
                });
    }

    /** A page of what is over, if anything is known of it. */
    private static String gone(String name, Current now, Told<BlockEvent> past, Model model) {
        if (past.rows().isEmpty()) {
            throw missing(name, now);
        }
        model.addAttribute("name", name);
        model.addAttribute("pool", BlockName.parse(name).map(BlockName::pool).orElse(""));
        return "block-gone";
    }

    /** Whether to ask for it makes sense; the desk judges. */
    private static boolean returnable(BlockView block) {
        return block.empty()
                && block.mode() != CollectionMode.OFF
                && block.state() != BlockState.DEAD
                && block.state() != BlockState.RESERVED
                && block.state() != BlockState.UNHELD;
    }

    private static boolean drainable(BlockView block) {
        return block.deleting() == null
                && block.state() != BlockState.DEAD
                && block.state() != BlockState.ORPHAN
                && block.state() != BlockState.UNHELD;
    }

    private static String lead(BlockView block) {
        return "%s. %s of %s addresses in use%s."
                .formatted(
                        block.node() == null ? "Held by no node" : "Held by " + block.node(),
                        Spoken.number(block.used()),
                        Spoken.number(block.capacity()),
                        block.usedFrom() == BlockView.UsedFrom.PODS
                                ? ", by what pods show; no agent has reported it"
                                : "");
    }

    private static RuntimeException missing(String name, Current now) {
        PoolView pool = BlockName.parse(name).map(n -> poolOf(n, now)).orElse(null);
        if (pool == null || pool.spec() == null) {
            return Problem.notFound("block", name).thrown();
        }
        return Problem.of(
                        HttpStatus.NOT_FOUND,
                        "There is no block " + name,
                        "Pool %s has the block indices 0 to %s. Blocks come and go with their use."
                                .formatted(
                                        pool.name(), Spoken.number(pool.spec().usableBlocks() - 1)))
                .thrown();
    }

    private static @Nullable PoolView poolOf(BlockName name, Current now) {
        return now.snapshot().pools().get(name.pool());
    }
}
