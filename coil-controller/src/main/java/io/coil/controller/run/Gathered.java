package io.coil.controller.run;

import io.coil.controller.view.SeenUsage;
import io.coil.core.garbage.Rule;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.NodeBlockUsage;
import io.coil.kubernetes.resource.RunItem;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * What is known of a run so far: what a former leader had done of our part, our part, and the parts
 * of the agents that have finished.
 */
final class Gathered {
    /** Done before our part was begun, or begun again: its items are found no more. */
    private final List<RunItem> before = new ArrayList<>();

    private long doneBefore;
    private List<RunItem> own = List.of();
    private final Map<String, Answer> answers = new TreeMap<>();

    /** An agent's part, and those of its items that there is room for. */
    private record Answer(SeenUsage.Part part, List<RunItem> items) {}

    /**
     * What stands in the status of a run that a former leader has begun: what it had done of our
     * part does not show otherwise.
     *
     * @param parts the agents' parts of this run, by node, as they report them
     */
    static Gathered of(GarbageCollection run, Function<String, Optional<SeenUsage.Part>> parts) {
        Gathered gathered = new Gathered();
        GarbageCollection.Status status = run.status();
        if (status == null) {
            return gathered;
        }
        long theirs = 0;
        for (String node : RunScope.answered(status)) {
            theirs += parts.apply(node).map(SeenUsage.Part::done).orElse(0L);
        }
        RunScope.items(run).stream()
                .filter(i -> RunScope.isOurs(i) && i.outcome().equals(RunItem.DONE))
                .forEach(gathered.before::add);
        gathered.doneBefore = Math.max(gathered.before.size(), status.done() - theirs);
        return gathered;
    }

    /** What has been done of our part; what is done again later is left out. */
    List<RunItem> doneAlready() {
        return List.copyOf(before);
    }

    /** Our part as far as it has come. */
    void own(List<RunItem> items) {
        own = List.copyOf(items);
    }

    /** Our part is begun again: what it has done, it will not find. */
    void beginOwnAgain() {
        own.stream().filter(i -> i.outcome().equals(RunItem.DONE)).forEach(before::add);
        doneBefore += own.stream().filter(i -> i.outcome().equals(RunItem.DONE)).count();
        own = List.of();
    }

    void answer(String node, SeenUsage.Part part, List<RunItem> items) {
        answers.put(node, new Answer(part, items));
    }

    Set<String> answered() {
        return answers.keySet();
    }

    /** How many more items would be listed. */
    int room() {
        return Math.max(0, RunItem.MOST - items().size());
    }

    long found() {
        return doneBefore + own.size() + theirs(SeenUsage.Part::found);
    }

    long done() {
        return doneBefore + count(RunItem.DONE) + theirs(SeenUsage.Part::done);
    }

    long failed() {
        return count(RunItem.FAILED) + theirs(SeenUsage.Part::failed);
    }

    long kept() {
        return count(RunItem.KEPT) + theirs(SeenUsage.Part::kept);
    }

    /** At most {@link RunItem#MOST}. */
    List<RunItem> items() {
        List<RunItem> all = new ArrayList<>();
        add(all, before);
        add(all, own);
        answers.values().forEach(a -> add(all, a.items()));
        return all;
    }

    private static void add(List<RunItem> all, List<RunItem> more) {
        all.addAll(more.subList(0, Math.min(more.size(), RunItem.MOST - all.size())));
    }

    private long count(String outcome) {
        return own.stream().filter(i -> i.outcome().equals(outcome)).count();
    }

    private long theirs(ToLongFunction<SeenUsage.Part> number) {
        return answers.values().stream().map(Answer::part).mapToLong(number).sum();
    }

    /** Whether a node is reported as silent anyway. */
    boolean reportsSilent(String node) {
        return own.stream()
                .anyMatch(i -> i.rule().equals(Rule.SILENT_AGENT.text()) && i.name().equals(node));
    }

    static List<RunItem> items(NodeBlockUsage.Run part) {
        return part.items() == null ? List.of() : part.items();
    }
}
