package io.coil.admin.web;

import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.Finding;
import io.coil.admin.snapshot.RunView;
import io.coil.admin.snapshot.Snapshot;
import io.coil.admin.snapshot.Spoken;
import io.coil.admin.snapshot.Totals;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

import java.util.List;

/** {@code /}: is all well, and what must I decide? */
@Controller
class OverviewPage {
    private static final int MOST = 50;

    private final Timeline timeline;

    OverviewPage(Timeline timeline) {
        this.timeline = timeline;
    }

    /** One of the numbers on top. */
    public record Stat(
            String href,
            String label,
            String value,
            String of,
            String note,
            @Nullable String css) {}

    @GetMapping("/")
    String show(Current now, Model model) {
        Snapshot image = now.snapshot();
        if (image.pools().isEmpty() && image.blocks().isEmpty()) {
            model.addAttribute("nodes", image.totals().nodes());
            return "empty";
        }
        List<Finding> decisions = image.decisions();
        List<Finding> handled = image.handled();
        model.addAttribute("heading", heading(decisions.size()));
        model.addAttribute("lead", lead(now, handled));
        model.addAttribute("stats", stats(image));
        model.addAttribute("decisions", rows(decisions));
        model.addAttribute("moreDecisions", Math.max(0, decisions.size() - MOST));
        model.addAttribute("handled", rows(handled));
        model.addAttribute("moreHandled", Math.max(0, handled.size() - MOST));
        model.addAttribute("pools", image.pools().values().stream().map(PoolRow::of).toList());
        model.addAttribute(
                "runs",
                image.runs().values().stream()
                        .limit(5)
                        .map(run -> RunRow.of(run, timeline.now()))
                        .toList());
        return "overview";
    }

    private static String heading(int decisions) {
        return switch (decisions) {
            case 0 -> "Nothing needs a decision";
            case 1 -> "1 finding needs a decision";
            default -> Spoken.number(decisions) + " findings need a decision";
        };
    }

    private static String lead(Current now, List<Finding> handled) {
        String controller =
                now.controller()
                        ? "A controller leads."
                        : "No controller leads: no block is granted, and none of a gone node is"
                                + " collected.";
        return handled.isEmpty()
                ? controller
                : controller
                        + " "
                        + Spoken.count(handled.size(), "finding")
                        + (handled.size() == 1 ? " is" : " are")
                        + " handled without you.";
    }

    private static List<FindingRow> rows(List<Finding> findings) {
        return findings.stream().limit(MOST).map(FindingRow::of).toList();
    }

    private List<Stat> stats(Snapshot image) {
        Totals t = image.totals();
        RunView last = image.runs().values().stream().findFirst().orElse(null);
        Gauge addresses = Gauge.of(t.addressesUsed(), t.addressesTotal());
        return List.of(
                new Stat(
                        "/pools",
                        "Addresses in use",
                        addresses.used(),
                        "of " + addresses.of(),
                        addresses.percent() + ", in " + Spoken.count(image.pools().size(), "pool"),
                        null),
                new Stat(
                        "/pools",
                        "Blocks granted",
                        Spoken.number(t.blocks()),
                        "of " + Spoken.number(t.blocksTotal()),
                        Spoken.number(t.empty())
                                + " empty, "
                                + Spoken.number(t.reserved())
                                + " reserved",
                        null),
                new Stat(
                        "/nodes?only=findings",
                        "Leak candidates",
                        Spoken.number(t.candidates()),
                        t.candidates() == 1 ? "block" : "blocks",
                        t.candidates() == 0 ? "nothing leaks" : "nobody uses them",
                        t.candidates() == 0 ? "ok" : "warn"),
                new Stat(
                        "/nodes",
                        "Agents reporting",
                        Spoken.number(t.reporting()),
                        "of " + Spoken.count(t.nodes(), "node"),
                        t.silent() + t.notReady() == 0
                                ? "none silent"
                                : t.notReady() + " not ready, " + t.silent() + " silent",
                        t.silent() + t.notReady() == 0 ? "ok" : "bad"),
                new Stat(
                        "/nodes",
                        "Requests waiting",
                        Spoken.number(t.requestsOpen()),
                        "",
                        t.requestsOpen() == 0 ? "no node waits for a block" : "not answered yet",
                        t.requestsOpen() == 0 ? "ok" : "going"),
                last(last));
    }

    private Stat last(@Nullable RunView run) {
        if (run == null) {
            return new Stat(
                    "/collections",
                    "Last collection",
                    "none",
                    "",
                    "nobody has asked for one",
                    null);
        }
        return new Stat(
                "/collections/" + run.name(),
                "Last collection",
                Stamp.of(run.created(), timeline.now()).ago(),
                "ago",
                "%d found, %d done, %d failed".formatted(run.found(), run.done(), run.failed()),
                run.failed() > 0 ? "bad" : null);
    }
}
