package io.coil.admin.web;

import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.NodeView;
import io.coil.admin.snapshot.Snapshot;
import io.coil.admin.snapshot.Spoken;
import io.coil.kubernetes.time.Timeline;

import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** {@code /nodes}: which node holds which blocks, and how full they are. */
@Controller
class NodesPage {
    private static final int MOST_COLUMNS = 12;
    private static final Map<String, String> QUICK =
            Map.of(
                    "findings", "With findings",
                    "silent", "Agent silent",
                    "not-ready", "Not ready or gone",
                    "empty", "With empty blocks",
                    "switched", "Collection manual or off");

    private final Timeline timeline;

    NodesPage(Timeline timeline) {
        this.timeline = timeline;
    }

    /** A quick filter. */
    public record Quick(String label, String href, long count, boolean current) {}

    /** A column's head; {@code sort} is what {@code aria-sort} says. */
    public record Column(String label, String href, boolean sorted, String sort, String css) {}

    @GetMapping("/nodes")
    String show(
            Current now,
            @RequestParam(defaultValue = "") String only,
            @RequestParam(defaultValue = "") String name,
            @RequestParam(defaultValue = "") String pool,
            @RequestParam(defaultValue = "") String used,
            @RequestParam(defaultValue = "") String sort,
            @RequestParam(defaultValue = "1") String page,
            Model model) {
        NodesQuery query = new NodesQuery(only, name, pool, used, sort);
        Snapshot image = now.snapshot();
        Collection<NodeView> all = image.nodes().values();
        List<NodeView> selected = query.select(all.stream());
        Pager pager =
                Pager.of(
                        selected.size(),
                        Pager.number(page),
                        p -> query.href("page", Integer.toString(p)));
        List<String> pools = image.pools().keySet().stream().limit(MOST_COLUMNS).toList();
        model.addAttribute("query", query);
        model.addAttribute("lead", lead(image, all));
        model.addAttribute("quick", quick(all, query));
        model.addAttribute("columns", columns(query, pools));
        model.addAttribute("allPools", image.pools().keySet());
        model.addAttribute("morePools", image.pools().size() - pools.size());
        model.addAttribute(
                "rows",
                pager.rows(selected).stream()
                        .map(node -> NodeRow.of(node, pools, timeline.now()))
                        .toList());
        model.addAttribute("pager", pager);
        return "nodes";
    }

    private static String lead(Snapshot image, Collection<NodeView> all) {
        long found = all.stream().filter(n -> NodesQuery.is("findings", n)).count();
        return "%s %s %s. %s."
                .formatted(
                        Spoken.count(all.size(), "node"),
                        all.size() == 1 ? "holds" : "hold",
                        Spoken.count(image.totals().blocks(), "block"),
                        found == 0
                                ? "None has a finding"
                                : Spoken.number(found)
                                        + (found == 1 ? " has" : " have")
                                        + " a finding");
    }

    private static List<Quick> quick(Collection<NodeView> all, NodesQuery query) {
        List<Quick> links = new ArrayList<>();
        links.add(new Quick("All", query.href("only", ""), all.size(), query.only().isEmpty()));
        for (String only : NodesQuery.ONLY) {
            links.add(
                    new Quick(
                            QUICK.getOrDefault(only, only),
                            query.href("only", only),
                            all.stream().filter(n -> NodesQuery.is(only, n)).count(),
                            query.only().equals(only)));
        }
        return links;
    }

    private static List<Column> columns(NodesQuery query, List<String> pools) {
        List<Column> columns = new ArrayList<>();
        columns.add(column(query, "Node", "name", ""));
        columns.add(column(query, "Findings", "findings", ""));
        columns.add(column(query, "Agent", "report", ""));
        columns.add(column(query, "Blocks", "blocks", "num"));
        columns.add(column(query, "Addresses", "used", ""));
        columns.add(column(query, "Empty", "empty", "num"));
        for (String pool : pools) {
            columns.add(column(query, pool, "pool:" + pool, ""));
        }
        return columns;
    }

    private static Column column(NodesQuery query, String label, String sort, String css) {
        boolean sorted = query.isSort(sort);
        return new Column(
                label,
                query.href("sort", sort),
                sorted,
                query.ascending() ? "ascending" : "descending",
                css);
    }
}
