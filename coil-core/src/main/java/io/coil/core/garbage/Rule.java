package io.coil.core.garbage;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Optional;

/** The rules by which something is garbage, or is at least worth a person's look. */
public enum Rule {
    /** A block of this node with no assignment, beyond linger and spares, not reserved. */
    SURPLUS_BLOCK(Collector.AGENT, "empty, and beyond linger and spare blocks"),
    /** An assignment whose host link is gone, seen twice, a grace apart. */
    VANISHED_CONTAINER(Collector.AGENT, "the container's link is gone"),
    /** An assignment of a pod's interface that has a newer sandbox, the old link gone. */
    SUPERSEDED_SANDBOX(Collector.AGENT, "the pod has a newer sandbox"),
    /** An exported route without a block. */
    STRAY_ROUTE(Collector.AGENT, "a route is exported for no block"),
    /** A block of whose node's name no Node exists. */
    ORPHAN_BLOCK(
            Collector.CONTROLLER,
            "its node does not exist",
            "label the block with the node that uses it, or delete it if none does"),
    /** A request of a node that is gone, or one that nobody fetches. */
    STRAY_REQUEST(Collector.CONTROLLER, "nobody will fetch this request"),
    /** A collection older than its time to live. */
    FINISHED_RUN(Collector.CONTROLLER, "the run is past its time to live"),
    /** Two blocks share addresses. */
    OVERLAP(
            Collector.NOBODY,
            "its addresses are another block's too",
            "see which of the two is used, empty the other one by deleting it"),
    /** A block whose range is not what its pool has at that index. */
    OUT_OF_POOL(
            Collector.NOBODY,
            "its range is not its pool's at that index",
            "delete the block: its node's agent gives no new address from it, and it goes when it"
                    + " is empty"),
    /** A container holds an address that lies in no block of its node. */
    FOREIGN_ADDRESS(
            Collector.NOBODY,
            "the address is in no block of its node",
            "delete the pod, so that it gets an address of its node's blocks"),
    /** A node is Ready, its agent is missing, not Ready, or did not answer a run. */
    SILENT_AGENT(
            Collector.NOBODY,
            "the node's agent does not answer",
            "look at the agent's pod on that node, its events and its log"),
    /** A block of a node that exists and is not Ready. */
    DEAD_NODE_BLOCK(
            Collector.NOBODY,
            "its node is not ready",
            "bring the node back; or, if its machine is off for good, delete the Node; or delete"
                    + " the block and mark the Node as out of service or force the block");

    /** Who acts on a finding. */
    public enum Collector {
        AGENT,
        CONTROLLER,
        /** Only a person may decide; it is reported. */
        NOBODY
    }

    private final Collector collector;
    private final String summary;
    private final @Nullable String advice;

    Rule(Collector collector, String summary) {
        this(collector, summary, null);
    }

    Rule(Collector collector, String summary, @Nullable String advice) {
        this.collector = collector;
        this.summary = summary;
        this.advice = advice;
    }

    public Collector collector() {
        return collector;
    }

    /** A few words for people, to stand behind the name of the thing. */
    public String summary() {
        return summary;
    }

    /** What a person can do about a finding that is only reported; empty if it never is. */
    public Optional<String> advice() {
        return Optional.ofNullable(advice);
    }

    /** The name in resources, REST and metrics: {@code surplus-block}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Reads {@link #text()}; empty for what a later version may say. */
    public static Optional<Rule> parse(String text) {
        for (Rule rule : values()) {
            if (rule.text().equals(text)) {
                return Optional.of(rule);
            }
        }
        return Optional.empty();
    }
}
