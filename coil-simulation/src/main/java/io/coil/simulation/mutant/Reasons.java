package io.coil.simulation.mutant;

import java.util.Map;
import java.util.Set;

/** Why a mutant does no harm, or what besides it has to be loose before it does. */
final class Reasons {
    private static final String BY_LABEL =
            "the agent adopts every block with its node's label, and gives back what is empty";

    private static final Map<String, String> ALL =
            Map.ofEntries(
                    Map.entry("as-it-is", "nothing is rewritten"),
                    Map.entry(
                            "n1-take-back",
                            "a DELETE that arrives all the same only marks the block: the finalizer"
                                    + " stays as long as it is used"),
                    Map.entry("n2-withdraw", BY_LABEL),
                    Map.entry("n3-withdraw-uid", BY_LABEL),
                    Map.entry("n4-vanished", "the next ADD looks again"),
                    Map.entry(
                            "n5-old-failed",
                            "the request is deleted all the same, and the next ADD asks anew"),
                    Map.entry(
                            "n6-stray-eager",
                            BY_LABEL + "; without that it does harm: `x11-stray-eager-asked-only`"),
                    Map.entry(
                            "n7-index-again",
                            BY_LABEL
                                    + ". That one request has two blocks breaks invariant 4, which"
                                    + " is not judged here; where it is, this is `h14-index-taken`"),
                    Map.entry("n8-all-of-these", "each for its reason"),
                    Map.entry(
                            "x01-last-writer-wins",
                            "the write must come when its request has been granted another block;"
                                    + " where the next try chooses the same index, nothing is lost"),
                    Map.entry(
                            "x02-deleted-on-time-out",
                            "no block leaks, since "
                                    + BY_LABEL
                                    + " (without that: `x02b-as-coil-v2`). But where a grant takes"
                                    + " longer than an ADD waits, a pod waits for ever"),
                    Map.entry(
                            "x09-ledger-cached",
                            "within a pool the API refuses a second block of one name, and the agent"
                                    + " asks anew; only the ledger keeps overlapping pools apart"),
                    Map.entry(
                            "x06-one-look",
                            "the links must have been read while an ADD made one, and who has an"
                                    + " address when it was done"));

    private Reasons() {}

    static Set<String> names() {
        return ALL.keySet();
    }

    /** Markdown; empty if there is nothing to say. */
    static String of(String mutant) {
        return ALL.getOrDefault(mutant, "");
    }
}
