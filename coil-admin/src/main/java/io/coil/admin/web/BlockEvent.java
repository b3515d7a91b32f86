package io.coil.admin.web;

import io.coil.admin.history.BlockTerm;
import io.coil.admin.history.Noted;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Something that happened to a block.
 *
 * @param after it had not happened yet, if that is much earlier; null: it is not
 * @param name of the node, or of the block on a node's page; null: none
 */
public record BlockEvent(
        Stamp at,
        @Nullable Stamp after,
        String what,
        @Nullable String name,
        @Nullable String href,
        String why) {
    private static final Duration USUAL = Duration.ofSeconds(15);

    private record Timed(Instant at, BlockEvent event) {}

    /** Of one block, with what people did to it; newest first. */
    static List<BlockEvent> ofBlock(List<BlockTerm> terms, List<Noted> audit, Instant now) {
        List<Timed> all = new ArrayList<>();
        for (BlockTerm term : terms) {
            String node = term.node();
            String href = node == null ? null : "/nodes/" + node;
            add(all, term, node, href, now);
        }
        for (Noted entry : audit) {
            String who = entry.caller().isEmpty() ? AuditRow.SOMEBODY : entry.caller();
            String why = entry.reason().isEmpty() ? who : who + ": " + entry.reason();
            all.add(
                    new Timed(
                            entry.at(),
                            new BlockEvent(
                                    Stamp.of(entry.at(), now),
                                    null,
                                    entry.action() + ", " + entry.result(),
                                    null,
                                    null,
                                    why)));
        }
        return newestFirst(all);
    }

    /** Of all blocks of a node; newest first. */
    static List<BlockEvent> ofNode(List<BlockTerm> terms, Instant now) {
        List<Timed> all = new ArrayList<>();
        for (BlockTerm term : terms) {
            add(all, term, term.name(), "/blocks/" + term.name(), now);
        }
        return newestFirst(all);
    }

    private static List<BlockEvent> newestFirst(List<Timed> all) {
        return all.stream()
                .sorted(Comparator.comparing(Timed::at).reversed())
                .map(Timed::event)
                .toList();
    }

    private static void add(
            List<Timed> all,
            BlockTerm term,
            @Nullable String name,
            @Nullable String href,
            Instant now) {
        Instant gone = term.goneAt();
        if (gone != null) {
            all.add(
                    new Timed(
                            gone,
                            new BlockEvent(
                                    Stamp.of(gone, now),
                                    muchEarlier(term, gone, now),
                                    "gone",
                                    name,
                                    href,
                                    whyGone(term))));
        }
        Instant granted = term.grantedAt() == null ? term.seenAt() : term.grantedAt();
        String request = term.request() == null ? "" : "request " + term.request();
        all.add(
                new Timed(
                        granted,
                        new BlockEvent(
                                Stamp.of(granted, now), null, "granted", name, href, request)));
    }

    private static @Nullable Stamp muchEarlier(BlockTerm term, Instant gone, Instant now) {
        Instant after = term.goneAfter();
        return after != null && after.plus(USUAL).isBefore(gone) ? Stamp.of(after, now) : null;
    }

    /** Only what is known: the collection that did it, and what it was doing when last seen. */
    private static String whyGone(BlockTerm term) {
        String run =
                term.run() == null ? "" : "collection " + term.run() + ", " + term.rule() + "; ";
        String state = term.lastState();
        return state == null
                ? run + "what it was doing last was not seen"
                : run + "last seen " + state.replace('_', ' ').toLowerCase(Locale.ROOT);
    }
}
