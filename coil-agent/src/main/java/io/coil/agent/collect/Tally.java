package io.coil.agent.collect;

import io.coil.core.garbage.Rule;
import io.coil.kubernetes.events.Events;
import io.coil.kubernetes.events.Subject;
import io.coil.kubernetes.resource.RunItem;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what was collected, by rule, and tells the node's people of it and of what they must do.
 */
public final class Tally {
    private final String node;
    private final Events events;
    private final Map<Rule, LongAdder> done = new EnumMap<>(Rule.class);
    private final Map<Rule, LongAdder> failed = new EnumMap<>(Rule.class);
    private final Set<String> told = new HashSet<>(); // guarded by this: addresses reported

    public Tally(String node, Events events) {
        this.node = node;
        this.events = events;
        for (Rule rule : Rule.values()) {
            done.put(rule, new LongAdder());
            failed.put(rule, new LongAdder());
        }
    }

    /** How often this rule was acted on since the start. */
    public long collected(Rule rule) {
        return done.getOrDefault(rule, new LongAdder()).sum();
    }

    /** How often acting on this rule has failed since the start. */
    public long failed(Rule rule) {
        return failed.getOrDefault(rule, new LongAdder()).sum();
    }

    /** A block was given back, by itself or because a run asked for it. */
    public void blockGivenBack() {
        count(done, Rule.SURPLUS_BLOCK);
    }

    void acted(RunItem item) {
        if (item.outcome().equals(RunItem.DONE)) {
            Rule.parse(item.rule())
                    .filter(r -> r != Rule.SURPLUS_BLOCK)
                    .ifPresent(r -> count(done, r));
            events.normal(Subject.node(node), "LeakCollected", sentence(item));
        } else if (item.outcome().equals(RunItem.FAILED)) {
            Rule.parse(item.rule()).ifPresent(r -> count(failed, r));
        }
    }

    private static void count(Map<Rule, LongAdder> counts, Rule rule) {
        LongAdder adder = counts.get(rule);
        if (adder != null) {
            adder.increment();
        }
    }

    /** What only a human may decide is said when it is first seen, not at each look. */
    void found(List<Finding> findings) {
        List<RunItem> reports =
                findings.stream()
                        .filter(f -> f.act() instanceof Finding.Act.Report)
                        .map(Finding::item)
                        .toList();
        for (RunItem item : reports) {
            if (isNews(item)) {
                events.warning(Subject.node(node), "ForeignAddress", sentence(item));
            }
        }
        forgetAllBut(reports.stream().map(Tally::key).toList());
    }

    private synchronized boolean isNews(RunItem item) {
        return told.add(key(item));
    }

    private synchronized void forgetAllBut(List<String> keys) {
        told.retainAll(new HashSet<>(keys));
    }

    private static String key(RunItem item) {
        return item.name() + " " + item.uid();
    }

    private static String sentence(RunItem item) {
        return "%s %s: %s".formatted(item.rule(), item.name(), item.evidence());
    }
}
