package io.coil.core.holdings;

import java.time.Duration;

/** Sentences that say why something is taken for garbage. */
final class Evidence {
    private Evidence() {}

    static String surplus(
            HeldBlock block, PoolTerms terms, boolean ending, long lingerNanos, long nowNanos) {
        String empty = "empty for " + words(Duration.ofNanos(nowNanos - block.emptySinceNanos));
        if (terms.uid() == null) {
            return empty + ", and its pool is gone";
        }
        if (block.id.poolUid() != null && !block.id.poolUid().equals(terms.uid())) {
            return empty + ", and it is of an earlier pool of that name";
        }
        if (terms.ending()) {
            return empty + ", and its pool is being deleted or drained";
        }
        if (ending) {
            return empty + ", and it is being deleted or drained";
        }
        return "%s, linger %s, %d %s allowed, and no pod of this node waits for the pool"
                .formatted(
                        empty,
                        words(Duration.ofNanos(lingerNanos)),
                        terms.spares(),
                        terms.spares() == 1 ? "spare" : "spares");
    }

    /** {@code 350 ms}, {@code 12 s}, {@code 3 min 5 s}, {@code 2 h 4 min}, {@code 5 d 3 h}. */
    static String words(Duration time) {
        if (time.toMillis() < 1000) {
            return time.toMillis() + " ms";
        }
        if (time.toSeconds() < 60) {
            return time.toSeconds() + " s";
        }
        if (time.toMinutes() < 60) {
            return time.toMinutes() + " min " + time.toSecondsPart() + " s";
        }
        if (time.toHours() < 24) {
            return time.toHours() + " h " + time.toMinutesPart() + " min";
        }
        return time.toDays() + " d " + time.toHoursPart() + " h";
    }
}
