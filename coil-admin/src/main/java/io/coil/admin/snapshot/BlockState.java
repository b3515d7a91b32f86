package io.coil.admin.snapshot;

import java.util.Locale;

/** What a block is doing. Exactly one holds for each block, the first that applies. */
public enum BlockState {
    /** Every address of it counts as taken; never collected. */
    RESERVED("reserved", Tone.QUIET, "reserved"),
    /** Somebody made it without the label that says which node holds it. */
    UNHELD("without a node", Tone.BAD, "orphan"),
    /** No Node of the name that it carries exists. */
    ORPHAN("orphan", Tone.BAD, "orphan"),
    /** Its Node is there and not ready: only a person may decide. */
    DEAD("node not ready", Tone.BAD, "dead"),
    /** Gives no new address, and goes when it is empty. */
    DRAINING("draining", Tone.GOING, "returning"),
    /** Empty and on its way back. */
    RETURNING("returning", Tone.GOING, "returning"),
    SERVING("serving", Tone.OK, "used"),
    /** Empty, and kept on purpose. */
    SPARE("spare", Tone.QUIET, "empty"),
    /** Empty for longer than the linger, and no spare. */
    SURPLUS("surplus", Tone.WARN, "surplus"),
    /** Empty for less than the linger. */
    EMPTY("empty", Tone.QUIET, "empty"),
    /** Its node's agent has not said anything of it yet. */
    UNREPORTED("not reported yet", Tone.QUIET, "empty");

    private final String word;
    private final Tone tone;
    private final String css;

    BlockState(String word, Tone tone, String css) {
        this.word = word;
        this.tone = tone;
        this.css = css;
    }

    public String word() {
        return word;
    }

    public Tone tone() {
        return tone;
    }

    /** Its class in maps and bars. */
    public String css() {
        return css;
    }

    /** As a metric's label and in JSON. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Looks like a leak: nobody uses it, and no declared reason keeps it. */
    public boolean candidate() {
        return this == SURPLUS || this == ORPHAN || this == UNHELD;
    }
}
