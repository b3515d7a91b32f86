package io.coil.admin.snapshot;

/** What is known of a node's agent. */
public enum AgentState {
    REPORTING("reporting", Tone.OK),
    /** There may be one (a young one, or one of Coil v2), but it has not reported. */
    NO_REPORT("no report yet", Tone.QUIET),
    /** The node is ready, but its agent is missing, not ready, or did not answer a run. */
    SILENT("silent", Tone.BAD),
    /** The node is not ready; what is shown of it is its last report. */
    NODE_NOT_READY("node not ready", Tone.BAD),
    /** No Node of that name exists; only its blocks are left. */
    NODE_GONE("node gone", Tone.BAD);

    private final String word;
    private final Tone tone;

    AgentState(String word, Tone tone) {
        this.word = word;
        this.tone = tone;
    }

    public String word() {
        return word;
    }

    public Tone tone() {
        return tone;
    }
}
