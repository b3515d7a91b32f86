package io.coil.admin.web;

import io.coil.admin.snapshot.AgentState;
import io.coil.admin.snapshot.BlockState;
import io.coil.admin.snapshot.PoolView;
import io.coil.admin.snapshot.RunView;
import io.coil.admin.snapshot.Tone;
import io.coil.kubernetes.resource.RunItem;

import java.time.Instant;

/** A state in a word, and how it is meant. */
public record Tag(String word, String css) {

    static Tag of(String word, Tone tone) {
        return new Tag(word, tone.css());
    }

    static Tag of(BlockState state) {
        return of(state.word(), state.tone());
    }

    static Tag of(AgentState state) {
        return of(state.word(), state.tone());
    }

    static Tag of(PoolView.State state) {
        return of(state.word(), state.tone());
    }

    static Tag of(RunView run, Instant now) {
        return switch (run.phase()) {
            case WAITING -> of("waiting for the controller", Tone.GOING);
            case RUNNING -> of("running", Tone.GOING);
            case FAILED -> of("failed", Tone.BAD);
            case COMPLETED -> completed(run, now);
        };
    }

    private static Tag completed(RunView run, Instant now) {
        if (run.failed() > 0) {
            return of("finished, " + run.failed() + " failed", Tone.BAD);
        }
        if (!run.dryRun()) {
            return of("finished", Tone.OK);
        }
        if (run.appliedBy() != null) {
            return of("plan, applied", Tone.OK);
        }
        return run.applicable(now)
                ? of("plan, not applied", Tone.WARN)
                : of("plan, expired", Tone.QUIET);
    }

    /** What became of an item. */
    static Tag of(RunItem item) {
        return switch (item.outcome()) {
            case RunItem.PLANNED -> of("would be done", Tone.GOING);
            case RunItem.DONE -> of("done", Tone.OK);
            case RunItem.FAILED -> of("failed", Tone.BAD);
            case RunItem.KEPT -> of("kept", Tone.QUIET);
            case RunItem.NO_LONGER_TRUE -> of("no longer true: kept", Tone.QUIET);
            case RunItem.REPORTED -> of("reported", Tone.BAD);
            default -> of(item.outcome(), Tone.QUIET);
        };
    }
}
