package io.coil.simulation.check;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Judges single writes: who may make them (invariant 3), and what never changes (2 and 4). */
public final class Writes implements Facts.Judge {
    /** A write may be so much older than its effect: a frozen leader, a late request. */
    private static final long OLD = TimeUnit.MINUTES.toNanos(5);

    private final Supplier<Facts> facts;
    private final Findings findings;
    private final Supplier<String> writer;
    private final LongSupplier nanos;
    private final Map<String, String> blockOfRequest = new HashMap<>();

    public Writes(
            Supplier<Facts> facts, Findings findings, Supplier<String> writer, LongSupplier nanos) {
        this.facts = facts;
        this.findings = findings;
        this.writer = writer;
        this.nanos = nanos;
    }

    @Override
    public void blockWritten(Facts.@Nullable Block before, Facts.Block after, boolean gone) {
        if (before == null) {
            made(after);
            return;
        }
        if (!Objects.equals(before.node(), after.node())
                || before.index() != after.index()
                || !Objects.equals(before.range(), after.range())) {
            findings.violated(2, writer.get() + " changed block " + before.name());
        }
        if (gone || (after.deleting() && !before.deleting())) {
            ended(after, gone ? "took away" : "deleted");
        }
    }

    private void made(Facts.Block block) {
        if (!block.name().equals(block.pool() + "-" + block.index())) {
            findings.violated(2, "block %s has index %d".formatted(block.name(), block.index()));
        }
        String request = block.request();
        if (request != null) {
            String first = blockOfRequest.putIfAbsent(request, block.name());
            if (first != null && !first.equals(block.name())) {
                findings.violated(
                        4, "request %s has got %s and %s".formatted(request, first, block.name()));
            }
        }
    }

    private void ended(Facts.Block block, String how) {
        String who = writer.get();
        String node = block.node();
        if (node == null) {
            return;
        }
        if (who.endsWith("-agent") && !who.equals(node + "-agent")) {
            findings.violated(
                    3, "%s %s block %s of node %s".formatted(who, how, block.name(), node));
        }
        long since = nanos.getAsLong() - OLD;
        if (who.startsWith("controller-")
                && !facts.get().wasWithoutNode(node, since)
                && !facts.get().wasOutOfService(node, since)) {
            findings.violated(
                    3,
                    "%s %s block %s of node %s, which is there"
                            .formatted(who, how, block.name(), node));
        }
    }

    /** Who has a block is not told that there is none. */
    private void failedForWant(Facts.Request request) {
        if ("Exhausted".equals(request.failure()) || "NodeLimit".equals(request.failure())) {
            facts.get().blocks().stream()
                    .filter(b -> request.uid().equals(b.request()))
                    .forEach(
                            b ->
                                    findings.violated(
                                            4,
                                            "request %s failed for want of a block, and has %s"
                                                    .formatted(request.name(), b.name())));
        }
    }

    @Override
    public void requestWritten(Facts.Request request, boolean gone) {
        if (gone) {
            return;
        }
        failedForWant(request);
        for (Facts.Request other : facts.get().requests()) {
            if (!other.uid().equals(request.uid())
                    && other.node().equals(request.node())
                    && other.pool().equals(request.pool())) {
                findings.violated(
                        4, "two requests of %s for %s".formatted(request.node(), request.pool()));
            }
        }
    }
}
