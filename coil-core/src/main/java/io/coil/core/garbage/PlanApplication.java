package io.coil.core.garbage;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A plan held against what is found now.
 *
 * @param act what the plan lists and is still true, as found now
 * @param report what the plan lists and is not true any more, as the plan had it, with that outcome
 */
public record PlanApplication(List<Item> act, List<Item> report) {
    /** An older plan is not applied: make a new one. */
    public static final Duration MAX_AGE = Duration.ofMinutes(30);

    /** Whether a plan that was finished so long ago may still be applied. */
    public static boolean isFresh(Duration sinceFinished) {
        return !sinceFinished.isNegative() && sinceFinished.compareTo(MAX_AGE) <= 0;
    }

    /**
     * Exactly the items of the plan are done, and of those only what is found again. Items that
     * only a person may decide stay reports.
     */
    public static PlanApplication of(Collection<Item> plan, Collection<Item> now) {
        Map<Item.Key, Item> found = new HashMap<>();
        now.forEach(item -> found.put(item.key(), item));
        List<Item> act = new ArrayList<>();
        List<Item> report = new ArrayList<>();
        for (Item planned : plan) {
            Item current = found.get(planned.key());
            if (planned.rule().collector() == Rule.Collector.NOBODY) {
                report.add(planned.with(Outcome.REPORTED));
            } else if (current == null) {
                report.add(planned.with(Outcome.NO_LONGER_TRUE));
            } else {
                act.add(current);
            }
        }
        return new PlanApplication(List.copyOf(act), List.copyOf(report));
    }
}
