package io.coil.kubernetes.election;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.Objects;

/**
 * One leader at a time among all processes that stand for a lease, as Kubernetes' own controllers
 * elect theirs.
 *
 * <p>The leader renews the lease; if it could not for the renew deadline, its term ends, before
 * anybody else may take the lease. Ended means: {@link Term#held} is false and its task is
 * interrupted. A write that was sent before may still take effect: what the leader writes must be
 * right even if two write at once.
 */
public final class LeaderElection {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderElection.class);
    private static final double JITTER = 0.2;

    private final Timeline timeline;
    private final LeaseSettings settings;
    private final Duty duty;
    private final Claim claim;
    private final Timeline.Signal wake;

    private volatile Timeline.@Nullable Running task;
    private volatile boolean stopping;
    private volatile @Nullable Term term;
    private volatile @Nullable String holder;

    public LeaderElection(KubeApi api, Timeline timeline, LeaseSettings settings, Duty duty) {
        this.timeline = timeline;
        this.settings = settings;
        this.duty = duty;
        this.claim = new Claim(api, timeline, settings);
        this.wake = timeline.signal();
    }

    /** Stands for the lease; once. */
    public void start() {
        if (task != null) {
            throw new IllegalStateException("started before");
        }
        task = timeline.start("leader election", this::run);
    }

    /**
     * Stops: the term, if there is one, ends, and when its task has ended the lease is given back.
     * Waits for all that at most {@code max}; then it is given up, and the lease runs out.
     */
    public void stop(Duration max) throws InterruptedException {
        stopping = true;
        wake.raise();
        Timeline.Running running = task;
        if (running != null && !running.awaitEnd(max)) {
            running.stop();
        }
    }

    public boolean isLeader() {
        Term now = term;
        return now != null && now.held();
    }

    /** Who holds the lease as far as we have seen; null if nobody. */
    public @Nullable String holder() {
        return holder;
    }

    private void run() throws InterruptedException {
        while (!stopping) {
            switch (claim.take()) {
                case Claim.Result.Held(long sent, int transitions) -> {
                    saw(settings.identity());
                    lead(new Term(timeline, transitions, settings.renewDeadline(), sent));
                }
                case Claim.Result.Others(String other) -> saw(other);
                case Claim.Result.Failed(ApiFailure why) ->
                        LOG.atDebug()
                                .addKeyValue("failure", why.getMessage())
                                .log("cannot stand for the lease now");
            }
            pause(timeline.jitter(settings.retryPeriod(), JITTER));
        }
    }

    /** Not cut short by what the tasks of the last term still had to say. */
    private void pause(Duration time) throws InterruptedException {
        long begun = timeline.nanos();
        Duration left = time;
        while (!stopping && left.isPositive()) {
            wake.await(left);
            left = time.minusNanos(timeline.nanos() - begun);
        }
    }

    private void lead(Term now) throws InterruptedException {
        LOG.atInfo().addKeyValue("term", now.number()).log("leading");
        Progress progress = new Progress();
        term = now;
        Timeline.Running work = timeline.start("leader " + now, () -> work(now, progress));
        Timeline.Running renewal = timeline.start("renewal " + now, () -> renew(now, progress));
        try {
            while (!stopping && !progress.over && now.held()) {
                wake.await(now.left());
            }
        } finally {
            now.end();
            work.stop();
            renewal.stop();
            term = null;
        }
        LOG.atInfo()
                .addKeyValue("term", now.number())
                .addKeyValue("unrenewed", now.unrenewed())
                .log("no longer leading");
        awaitEnd(work);
        awaitEnd(renewal);
        duty.onStopped(now);
        giveBack();
    }

    /** How a term goes, told by its tasks. */
    private static final class Progress {
        volatile boolean over;
    }

    private void work(Term now, Progress progress) throws InterruptedException {
        try {
            duty.onLeading(now);
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("the leader's work failed, the term ends");
            progress.over = true;
            wake.raise();
        }
    }

    private void renew(Term now, Progress progress) throws InterruptedException {
        while (true) {
            timeline.sleep(timeline.jitter(settings.retryPeriod(), JITTER));
            switch (claim.renew()) {
                case Claim.Result.Held(long sent, int transitions)
                        when transitions == now.number() -> {
                    if (!now.renewed(sent)) {
                        progress.over = true;
                    }
                }
                case Claim.Result.Held held -> {
                    // It was another's, or nobody's, in between.
                    LOG.atWarn().addKeyValue("now", held.transitions()).log("the term was broken");
                    progress.over = true;
                }
                case Claim.Result.Others(String other) -> {
                    saw(other);
                    progress.over = true;
                }
                case Claim.Result.Failed(ApiFailure why) ->
                        LOG.atWarn()
                                .addKeyValue("failure", why.getMessage())
                                .log("cannot renew the lease");
            }
            if (progress.over) {
                wake.raise();
                return;
            }
        }
    }

    /** For ever: two terms' work at once in one process would be worse than none. */
    private static void awaitEnd(Timeline.Running running) throws InterruptedException {
        while (!running.awaitEnd(Duration.ofSeconds(10))) {
            LOG.atError().log("the leader's work does not end; no new term before it does");
            running.stop();
        }
    }

    /** So that nobody has to wait until it runs out. */
    private void giveBack() {
        try {
            if (claim.release()) {
                saw(null);
            }
        } catch (ApiFailure e) {
            LOG.atInfo()
                    .addKeyValue("failure", e.getMessage())
                    .log("the lease could not be given back, it runs out");
        }
    }

    private void saw(@Nullable String now) {
        if (!Objects.equals(holder, now)) {
            holder = now;
            duty.onHolder(now);
        }
    }
}
