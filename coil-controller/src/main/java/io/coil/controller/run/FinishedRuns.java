package io.coil.controller.run;

import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenRun;
import io.coil.core.garbage.Rule;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.time.Timeline;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Finished runs stay for their time to live, and only the newest of them. */
public final class FinishedRuns {
    private static final Logger LOG = LoggerFactory.getLogger(FinishedRuns.class);

    private final KubeApi api;
    private final ClusterView view;
    private final Timeline timeline;
    private final Duration timeToLive;
    private final int kept;

    public FinishedRuns(
            KubeApi api, ClusterView view, Timeline timeline, Duration timeToLive, int kept) {
        this.api = api;
        this.view = view;
        this.timeline = timeline;
        this.timeToLive = timeToLive;
        this.kept = kept;
    }

    /** Deletes those whose time is over; an error leaves one to the next time. */
    public void collect() {
        Instant oldest = timeline.now().minus(timeToLive);
        List<SeenRun> finished =
                view.runs().stream()
                        .filter(r -> r.finished() != null)
                        .sorted(Comparator.comparing(FinishedRuns::end).reversed())
                        .toList();
        for (int i = 0; i < finished.size(); i++) {
            if (i >= kept || end(finished.get(i)).isBefore(oldest)) {
                delete(finished.get(i));
            }
        }
    }

    private void delete(SeenRun run) {
        try {
            api.delete(Kinds.COLLECTIONS, null, run.name(), Preconditions.uid(run.uid()));
        } catch (ApiFailure e) {
            LOG.atDebug().addKeyValue("run", run.name()).setCause(e).log("run not deleted");
            return;
        }
        LOG.atInfo()
                .addKeyValue("run", run.name())
                .addKeyValue("rule", Rule.FINISHED_RUN.text())
                .log("finished collection deleted");
    }

    private static Instant end(SeenRun run) {
        return Objects.requireNonNull(run.finished());
    }
}
