package io.coil.controller.garbage;

import io.coil.core.garbage.Rule;
import io.coil.core.garbage.Selection;
import io.coil.kubernetes.events.Events;
import io.coil.kubernetes.events.Subject;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.RunItem;
import io.coil.kubernetes.time.Timeline;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Tells people, without being asked, what only they can decide: a number per rule, and an event
 * when something is first found and each hour while it stays.
 */
public final class Standing {
    private static final Duration AT_MOST_EVERY = Duration.ofMinutes(1);
    private static final double JITTER = 0.1;
    private static final Duration AGAIN = Duration.ofHours(1);

    /** More at once would push each other out of the events that wait. */
    private static final int MOST_AT_ONCE = 100;

    private static final int NAMED = 5;
    private static final List<Rule> RULES =
            List.of(
                    Rule.ORPHAN_BLOCK,
                    Rule.OVERLAP,
                    Rule.OUT_OF_POOL,
                    Rule.DEAD_NODE_BLOCK,
                    Rule.SILENT_AGENT);

    private final Reports reports;
    private final Timeline timeline;
    private final Events events;
    private final MeterRegistry meters;
    private final Duration interval;
    private final List<Gauge> gauges = new ArrayList<>(); // used by the task and by its end

    private volatile Map<String, Long> counts = Map.of();

    /** When what was told last; only the task touches it. */
    private final Map<Saying, Long> told = new HashMap<>();

    private record Saying(String reason, Subject about) {}

    public Standing(
            Reports reports,
            Timeline timeline,
            Events events,
            MeterRegistry meters,
            Duration collectionInterval) {
        this.reports = reports;
        this.timeline = timeline;
        this.events = events;
        this.meters = meters;
        this.interval =
                collectionInterval.compareTo(AT_MOST_EVERY) < 0
                        ? collectionInterval
                        : AT_MOST_EVERY;
    }

    /** Looks until stopped. */
    public void run() throws InterruptedException {
        for (Rule rule : RULES) {
            String text = rule.text();
            gauges.add(
                    Gauge.builder("coil.controller.findings", () -> counts.getOrDefault(text, 0L))
                            .description("what only a person can decide about")
                            .tag("rule", text)
                            .register(meters));
        }
        while (true) {
            timeline.sleep(timeline.jitter(interval, JITTER));
            tell(reports.find(Selection.ALL));
        }
    }

    /** The term is over: the next leader tells. */
    public void end() {
        gauges.forEach(meters::remove);
    }

    private void tell(List<RunItem> items) {
        counts =
                items.stream().collect(Collectors.groupingBy(RunItem::rule, Collectors.counting()));
        Map<Saying, String> sayings = sayings(items);
        told.keySet().retainAll(sayings.keySet());
        int room = MOST_AT_ONCE;
        for (Map.Entry<Saying, String> entry : sayings.entrySet()) {
            Saying saying = entry.getKey();
            Long before = told.get(saying);
            boolean due = before == null || timeline.nanos() - before >= AGAIN.toNanos();
            if (due && room > 0) {
                room--;
                told.put(saying, timeline.nanos());
                events.warning(saying.about(), saying.reason(), entry.getValue());
            }
        }
    }

    /** What stands on a node that is dead is said once, of the node. */
    private static Map<Saying, String> sayings(List<RunItem> items) {
        Map<Saying, String> sayings = new LinkedHashMap<>();
        Map<String, List<RunItem>> ofDeadNodes = new TreeMap<>();
        for (RunItem item : items) {
            if (item.rule().equals(Rule.DEAD_NODE_BLOCK.text()) && item.node() != null) {
                ofDeadNodes.computeIfAbsent(item.node(), n -> new ArrayList<>()).add(item);
            } else {
                sayings.put(
                        new Saying(reason(item), subject(item)),
                        item.evidence() + advice(item.message()));
            }
        }
        ofDeadNodes.forEach(
                (node, blocks) ->
                        sayings.put(
                                new Saying("DeadNodeBlocks", Subject.node(node)),
                                "not Ready, and holds %s%s"
                                        .formatted(
                                                names(blocks),
                                                advice(blocks.getFirst().message()))));
        return sayings;
    }

    private static String names(List<RunItem> blocks) {
        String first =
                blocks.stream().limit(NAMED).map(RunItem::name).collect(Collectors.joining(", "));
        return blocks.size() <= NAMED
                ? first
                : "%s and %d more blocks".formatted(first, blocks.size() - NAMED);
    }

    private static String advice(@Nullable String advice) {
        return advice == null ? "" : ": " + advice;
    }

    private static String reason(RunItem item) {
        return switch (Rule.parse(item.rule()).orElseThrow()) {
            case ORPHAN_BLOCK -> "BlockWithoutNode";
            case OVERLAP -> "BlockOverlaps";
            case OUT_OF_POOL -> "BlockOutOfPool";
            case SILENT_AGENT -> "AgentSilent";
            case DEAD_NODE_BLOCK -> "DeadNodeBlocks";
            case SURPLUS_BLOCK,
                    VANISHED_CONTAINER,
                    SUPERSEDED_SANDBOX,
                    STRAY_ROUTE,
                    STRAY_REQUEST,
                    FINISHED_RUN,
                    FOREIGN_ADDRESS ->
                    throw new IllegalStateException("not reported by a controller: " + item);
        };
    }

    private static Subject subject(RunItem item) {
        return item.rule().equals(Rule.SILENT_AGENT.text())
                ? Subject.node(item.name())
                : new Subject(Names.COIL_API, "AddressBlock", null, item.name(), item.uid());
    }
}
