package io.coil.admin.act;

import io.coil.admin.access.Caller;
import io.coil.admin.history.AuditEntry;
import io.coil.admin.history.AuditLog;
import io.coil.admin.problem.Problem;
import io.coil.admin.problem.Refusal;
import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.Snapshot;
import io.coil.admin.snapshot.SnapshotKeeper;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.time.Timeline;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What all changes have in common: nothing is decided on old data, the API is called with the
 * caller's own token, and the audit notes what was asked for and what came of it.
 */
public final class Changes {
    private static final Logger LOG = LoggerFactory.getLogger(Changes.class);
    private static final Duration SHOWN = Duration.ofSeconds(2);

    private final SnapshotKeeper keeper;
    private final Timeline timeline;
    private final CallersApi apiFor;
    private final AuditLog audit;

    public Changes(SnapshotKeeper keeper, Timeline timeline, CallersApi apiFor, AuditLog audit) {
        this.keeper = keeper;
        this.timeline = timeline;
        this.apiFor = apiFor;
        this.audit = audit;
    }

    /** The work of a change; {@code warnings} takes what the API says besides. */
    @FunctionalInterface
    public interface Work {
        Done work(List<String> warnings) throws InterruptedException;
    }

    /**
     * Does it and notes it. A {@link Refusal} or an {@link ApiFailure} that leaves the work is
     * noted and thrown on.
     */
    public Done noted(Asked asked, Work work) throws InterruptedException {
        List<String> warnings = new ArrayList<>();
        try {
            reason(asked);
            Done done = work.work(warnings).with(warnings);
            note(asked, AuditEntry.Result.DONE, done.message());
            LOG.atInfo()
                    .addKeyValue("action", asked.action())
                    .addKeyValue(asked.kind(), asked.name())
                    .addKeyValue("caller", asked.caller().name())
                    .addKeyValue("state", done.state())
                    .log("change asked for");
            return done;
        } catch (Refusal refusal) {
            note(asked, AuditEntry.Result.REFUSED, refusal.problem().detail());
            throw refusal;
        } catch (ApiFailure failure) {
            note(asked, result(failure), String.valueOf(failure.getMessage()));
            throw failure;
        }
    }

    private static void reason(Asked asked) {
        if (asked.reason().isEmpty()) {
            throw Problem.refused(List.of("a reason is missing: it is what others read later"))
                    .thrown();
        }
        if (asked.reason().length() > Asked.LONGEST_REASON) {
            throw Problem.refused(
                            List.of(
                                    "the reason has %d characters, allowed are %d"
                                            .formatted(
                                                    asked.reason().length(), Asked.LONGEST_REASON)))
                    .thrown();
        }
    }

    private static AuditEntry.Result result(ApiFailure failure) {
        return switch (failure) {
            case ApiFailure.Rejected rejected -> AuditEntry.Result.REFUSED;
            case ApiFailure.Stale stale -> AuditEntry.Result.REFUSED;
            case ApiFailure.Transient transientFailure -> AuditEntry.Result.FAILED;
        };
    }

    private void note(Asked asked, AuditEntry.Result result, String detail) {
        audit.record(
                new AuditEntry(
                        timeline.now(),
                        asked.caller().name(),
                        asked.action(),
                        asked.kind(),
                        asked.name(),
                        asked.reason(),
                        result,
                        detail));
    }

    /** The image to judge by; refused if the API has been silent for too long. */
    public Snapshot fresh() {
        return keeper.current()
                .filter(current -> !current.stale())
                .map(Current::snapshot)
                .orElseThrow(
                        () ->
                                Problem.of(
                                                HttpStatus.SERVICE_UNAVAILABLE,
                                                "The Kubernetes API is not answering",
                                                "Nothing has been done: nothing is decided on old data. Try again in a little.")
                                        .thrown());
    }

    /** Calls the API as the caller. */
    public <T> T as(Caller caller, List<String> warnings, Function<KubeApi, T> call) {
        KubeApi api = apiFor.of(caller.token(), warnings::add);
        try {
            return call.apply(api);
        } finally {
            close(api);
        }
    }

    /** Gives the image a moment to show what was asked for; false if it does not. */
    public boolean shown(Predicate<Snapshot> shown) throws InterruptedException {
        return keeper.await(shown, SHOWN);
    }

    /** The image as it is now, however old. */
    Snapshot latest() {
        return keeper.current().map(Current::snapshot).orElseGet(this::fresh);
    }

    Instant now() {
        return timeline.now();
    }

    private static void close(KubeApi api) {
        if (api instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                LOG.atDebug().setCause(e).log("connection not closed");
            }
        }
    }
}
