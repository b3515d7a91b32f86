package io.coil.kubernetes.resource;

import io.coil.core.garbage.Item;
import io.coil.core.garbage.Kind;
import io.coil.core.garbage.Outcome;
import io.coil.core.garbage.Rule;

import org.jspecify.annotations.Nullable;

/**
 * One thing that a collection found: by which rule, on what evidence, and what became of it. A
 * plan's item and a run's.
 *
 * @param rule e.g. {@code surplus-block}
 * @param kind Block, Address, Route, Request, Node, Pool or Run
 * @param name of the object, or the address or route
 * @param uid of the object, or the container id of an address
 * @param evidence a sentence for a human
 * @param ageSeconds how long it has been so
 * @param outcome Planned, Done, Failed, Kept (with the reason in {@code message}), NoLongerTrue or
 *     Reported (with what one can do about it in {@code message})
 */
public record RunItem(
        String rule,
        String kind,
        String name,
        @Nullable String uid,
        @Nullable String block,
        @Nullable String pool,
        @Nullable String node,
        @Nullable String evidence,
        long ageSeconds,
        String outcome,
        @Nullable String message) {
    public static final String PLANNED = "Planned";
    public static final String DONE = "Done";
    public static final String FAILED = "Failed";
    public static final String KEPT = "Kept";
    public static final String NO_LONGER_TRUE = "NoLongerTrue";
    public static final String REPORTED = "Reported";

    /** Most items that one object lists; the rest is counted. */
    public static final int MOST = 500;

    /** A finding of core's, as runs list it. */
    public static RunItem of(Item item) {
        String message =
                switch (item.outcome()) {
                    case STARTED -> "begun, goes on by itself";
                    case NOT_ALLOWED -> "collection is off or manual here";
                    case PLANNED, DONE, NO_LONGER_TRUE, REPORTED, FAILED -> null;
                };
        return new RunItem(
                item.rule().text(),
                text(item.kind()),
                item.name(),
                item.uid(),
                item.block(),
                item.pool(),
                item.node(),
                item.evidence(),
                Math.max(0, item.age().toSeconds()),
                text(item.outcome()),
                message);
    }

    private static String text(Kind kind) {
        return switch (kind) {
            case BLOCK -> "Block";
            case REQUEST -> "Request";
            case RUN -> "Run";
            case NODE -> "Node";
            case ADDRESS -> "Address";
            case ROUTE -> "Route";
        };
    }

    private static String text(Outcome outcome) {
        return switch (outcome) {
            case PLANNED -> PLANNED;
            case DONE, STARTED -> DONE;
            case NO_LONGER_TRUE -> NO_LONGER_TRUE;
            case REPORTED -> REPORTED;
            case NOT_ALLOWED -> KEPT;
            case FAILED -> FAILED;
        };
    }

    /** Only a person may decide: with what one can do about it. */
    public RunItem reported() {
        return with(REPORTED, Rule.parse(rule).flatMap(Rule::advice).orElse(null));
    }

    public RunItem with(String newOutcome, @Nullable String newMessage) {
        return new RunItem(
                rule,
                kind,
                name,
                uid,
                block,
                pool,
                node,
                evidence,
                ageSeconds,
                newOutcome,
                newMessage);
    }
}
