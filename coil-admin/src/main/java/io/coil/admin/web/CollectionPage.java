package io.coil.admin.web;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.coil.admin.history.History;
import io.coil.admin.history.PastRun;
import io.coil.admin.problem.Problem;
import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.RunView;
import io.coil.admin.snapshot.Snapshot;
import io.coil.admin.snapshot.Spoken;
import io.coil.kubernetes.resource.RunItem;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** {@code /collections/NAME}: what it found and did, and why. */
@Controller
class CollectionPage {
    private static final int REFRESH_SECONDS = 2;
    private static final Map<String, String> RULES =
            Map.of(
                    "surplus-block", "Empty, beyond linger and spares; the agent returns it.",
                    "vanished-container",
                            "The host link of an assignment is gone, seen twice, a grace apart; the agent frees the address.",
                    "superseded-sandbox",
                            "The pod has a newer sandbox and the old link is gone; the agent frees the old address.",
                    "stray-route", "An exported route without a block; the agent withdraws it.",
                    "stray-request", "A request that nobody will fetch; the controller deletes it.",
                    "orphan-block",
                            "No Node of that name exists; the controller deletes the block after a grace.",
                    "finished-run", "A collection older than its time to live.",
                    "dead-node-block",
                            "Only a person may decide: release by force, or bring the node back.",
                    "silent-agent", "Only a person may decide: look at the agent on that node.");

    private final Timeline timeline;
    private final Orders orders;
    private final History history;

    CollectionPage(Timeline timeline, Orders orders, History history) {
        this.timeline = timeline;
        this.orders = orders;
        this.history = history;
    }

    /** The items of a rule. */
    public record Group(String rule, String count, String meaning, List<Item> items) {}

    /** An item; {@code href} and {@code nodeHref} null: there is no page of it (any more). */
    public record Item(
            String name,
            @Nullable String href,
            @Nullable String node,
            @Nullable String nodeHref,
            String evidence,
            @Nullable String message,
            String age,
            Tag outcome) {}

    @GetMapping("/collections/{name}")
    String show(Current now, @PathVariable String name, Model model) {
        Snapshot image = now.snapshot();
        Instant time = timeline.now();
        RunView run = image.runs().get(name);
        if (run == null) {
            return past(name, image, time, model);
        }
        model.addAttribute("run", run);
        model.addAttribute("row", RunRow.of(run, time));
        model.addAttribute("lead", lead(run));
        model.addAttribute("groups", groups(run.items(), image));
        model.addAttribute("started", Stamp.orNull(run.started(), time));
        model.addAttribute("finished", Stamp.orNull(run.finished(), time));
        model.addAttribute("answered", answered(run));
        model.addAttribute("planned", run.count(RunItem.PLANNED));
        model.addAttribute("applicable", run.applicable(time));
        model.addAttribute(
                "until",
                run.finished() == null
                        ? null
                        : Stamp.of(run.finished().plus(RunView.PLAN_LIFE), time).text());
        model.addAttribute("key", orders.newKey());
        model.addAttribute("refresh", run.over() ? null : REFRESH_SECONDS);
        return "collection";
    }

    /** Of one whose object is gone, if it was kept what it did. */
    private String past(String name, Snapshot image, Instant time, Model model) {
        Told<PastRun> kept = Told.of(() -> history.run(name).stream().toList());
        if (kept.rows().isEmpty()) {
            throw Problem.notFound("collection", name).thrown();
        }
        PastRun run = kept.rows().getFirst();
        model.addAttribute("run", run);
        model.addAttribute("created", Stamp.of(run.created(), time));
        model.addAttribute("finished", Stamp.orNull(run.finished(), time));
        model.addAttribute("groups", groups(run.items(), image));
        return "collection-past";
    }

    private static String lead(RunView run) {
        String counts =
                "%s found, %s done, %s failed."
                        .formatted(
                                Spoken.count(run.found(), "item"),
                                Spoken.number(run.done()),
                                Spoken.number(run.failed()));
        return switch (run.phase()) {
            case WAITING -> "Asked for; no controller has taken it up yet.";
            case RUNNING ->
                    counts
                            + " This page shows more by itself as agents answer; the run closes when all have, or at its deadline.";
            case FAILED -> run.message() == null ? "It failed." : run.message();
            case COMPLETED ->
                    run.dryRun()
                            ? "%s found; %s would be collected. Nothing has been changed."
                                    .formatted(
                                            Spoken.count(run.found(), "item"),
                                            Spoken.number(run.count(RunItem.PLANNED)))
                            : counts;
        };
    }

    private static String answered(RunView run) {
        int all = run.expected().size();
        return "%s of %s, %s"
                .formatted(
                        Spoken.number(all - run.unanswered().size()),
                        Spoken.count(all, "node"),
                        run.phase() == RunView.Phase.WAITING
                                ? "not the controller"
                                : "and the controller");
    }

    private static List<Group> groups(List<RunItem> items, Snapshot image) {
        Map<String, List<RunItem>> byRule =
                items.stream().collect(groupingBy(RunItem::rule, TreeMap::new, toList()));
        return byRule.entrySet().stream()
                .map(
                        e ->
                                new Group(
                                        e.getKey(),
                                        Spoken.count(e.getValue().size(), "item"),
                                        RULES.getOrDefault(e.getKey(), "Only a person may decide."),
                                        e.getValue().stream()
                                                .map(item -> item(item, image))
                                                .toList()))
                .toList();
    }

    private static Item item(RunItem item, Snapshot image) {
        return new Item(
                item.name(),
                href(item, image),
                item.node(),
                item.node() != null && image.nodes().containsKey(item.node())
                        ? "/nodes/" + item.node()
                        : null,
                item.evidence() == null ? "" : item.evidence(),
                item.message(),
                Spoken.duration(Duration.ofSeconds(item.ageSeconds())),
                Tag.of(item));
    }

    private static @Nullable String href(RunItem item, Snapshot image) {
        return switch (item.kind()) {
            case "Block" ->
                    image.blocks().containsKey(item.name()) ? "/blocks/" + item.name() : null;
            case "Node" -> image.nodes().containsKey(item.name()) ? "/nodes/" + item.name() : null;
            case "Pool" -> image.pools().containsKey(item.name()) ? "/pools/" + item.name() : null;
            case "Address" -> "/search?q=" + item.name();
            default -> null;
        };
    }
}
