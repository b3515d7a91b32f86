package io.coil.core.garbage;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Items as a resource can carry them: the first of them up to a limit, the count of the rest, and
 * counts that are complete.
 *
 * @param items at most the limit
 * @param rest how many more there are
 * @param perRule all, by rule
 * @param perOutcome all, by outcome
 */
public record Findings(
        List<Item> items, long rest, Map<Rule, Long> perRule, Map<Outcome, Long> perOutcome) {
    /** What one resource carries: some 150 KiB. */
    public static final int LIMIT = 500;

    public Findings {
        items = List.copyOf(items);
        perRule = Map.copyOf(perRule);
        perOutcome = Map.copyOf(perOutcome);
    }

    public static Findings of(Collection<Item> items) {
        Collector collector = collector();
        items.forEach(collector::add);
        return collector.findings();
    }

    public static Collector collector() {
        return new Collector();
    }

    public long total() {
        return items.size() + rest;
    }

    public long count(Rule rule) {
        return perRule.getOrDefault(rule, 0L);
    }

    public long count(Outcome outcome) {
        return perOutcome.getOrDefault(outcome, 0L);
    }

    /** Gathers items one by one, and keeps no more than the limit of them. */
    public static final class Collector {
        private final List<Item> items = new ArrayList<>();
        private final Map<Rule, Long> perRule = new EnumMap<>(Rule.class);
        private final Map<Outcome, Long> perOutcome = new EnumMap<>(Outcome.class);
        private long total;

        private Collector() {}

        public void add(Item item) {
            if (hasRoom()) {
                items.add(item);
            }
            count(item.rule(), item.outcome());
        }

        /** Whether one more item would be kept; if not, {@link #count} spares making it. */
        public boolean hasRoom() {
            return items.size() < LIMIT;
        }

        /** Counts an item that is not kept. */
        public void count(Rule rule, Outcome outcome) {
            total++;
            perRule.merge(rule, 1L, Long::sum);
            perOutcome.merge(outcome, 1L, Long::sum);
        }

        public Findings findings() {
            return new Findings(items, total - items.size(), perRule, perOutcome);
        }
    }
}
