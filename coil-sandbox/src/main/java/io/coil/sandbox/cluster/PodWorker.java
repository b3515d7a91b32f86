package io.coil.sandbox.cluster;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.openapi.models.V1Pod;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Brings one pod up, keeps it up, and takes it down: what a kubelet and its container runtime do,
 * as far as a network plugin can see it.
 *
 * <p>Each try at a sandbox has a new container id; a try that failed is deleted before the next; a
 * pod is removed from the API only after DEL has succeeded.
 */
final class PodWorker {
    private static final Logger LOG = LoggerFactory.getLogger(PodWorker.class);

    private final Kubelet kubelet;
    private final Timeline timeline;
    private final String title;
    private final Timeline.Signal changed;

    /** The pod as last seen; null once it is gone from the API. Written by the kubelet's task. */
    private volatile @Nullable V1Pod pod;

    /** The pod as it was first; what matters here of a pod never changes. */
    private final V1Pod first;

    // Written by the worker's task alone.
    private volatile @Nullable PodSandbox sandbox;
    private volatile @Nullable Program program;
    private @Nullable OffsetDateTime started;
    private @Nullable PodStatusText reported;
    private int restarts;

    PodWorker(Kubelet kubelet, Timeline timeline, V1Pod pod) {
        this.kubelet = kubelet;
        this.timeline = timeline;
        this.title = Pods.title(pod);
        this.changed = timeline.signal();
        this.pod = pod;
        this.first = pod;
    }

    void seen(@Nullable V1Pod now) {
        pod = now;
        changed.raise();
    }

    /** Container id of the sandbox that has an address now; null if there is none. */
    @Nullable String liveContainer() {
        PodSandbox now = sandbox;
        return now != null && now.added().ok() ? now.containerId() : null;
    }

    void run() throws InterruptedException {
        report(PodStatusText.CREATING);
        Backoff backoff = new Backoff(kubelet.settings());
        while (!isEnding()) {
            if (!bringUp()) {
                waitFor(backoff.next());
                continue;
            }
            backoff.reset();
            waitFor(kubelet.settings().check());
            lookAfterSandbox();
            lookAfterProgram();
        }
        takeDown();
    }

    private boolean isEnding() {
        V1Pod now = pod;
        return now == null || now.getMetadata().getDeletionTimestamp() != null;
    }

    /** Waits out {@code time}; a change of the pod cuts it short only if the pod is to end. */
    private void waitFor(Duration time) throws InterruptedException {
        long end = timeline.nanos() + time.toNanos();
        while (!isEnding()) {
            long left = end - timeline.nanos();
            if (left <= 0) {
                return;
            }
            changed.await(Duration.ofNanos(left));
        }
    }

    /** True once all that the pod needs is up. */
    private boolean bringUp() throws InterruptedException {
        if (!Pods.hostNetwork(first) && !hasSandbox()) {
            return false;
        }
        if (program == null && kubelet.starter(first) != null && !startProgram()) {
            return false;
        }
        if (started == null) {
            started = now();
        }
        report("");
        return true;
    }

    private boolean hasSandbox() throws InterruptedException {
        PodSandbox present = sandbox;
        if (present != null && present.added().ok()) {
            return true;
        }
        if (present != null && !removeSandbox()) {
            return false;
        }
        PodSandbox attempt = new PodSandbox(first, kubelet.machine(), timeline);
        sandbox = attempt;
        CniReply reply = attempt.add();
        if (reply.ok()) {
            return true;
        }
        kubelet.warn(
                first,
                "FailedCreatePodSandBox",
                "Failed to create pod sandbox: plugin type=\"coil\" failed (add): "
                        + reply.message());
        removeSandbox();
        return false;
    }

    private boolean removeSandbox() throws InterruptedException {
        PodSandbox old = sandbox;
        if (old == null) {
            return true;
        }
        CniReply reply = old.delete();
        if (reply.ok()) {
            sandbox = null;
            return true;
        }
        kubelet.warn(
                first,
                "FailedKillPod",
                "error killing pod: plugin type=\"coil\" failed (delete): " + reply.message());
        return false;
    }

    private boolean startProgram() throws InterruptedException {
        Program.Starter starter = kubelet.starter(first);
        if (starter == null) {
            return true;
        }
        try {
            program = starter.start(first, kubelet.machine());
            return true;
        } catch (RuntimeException e) {
            LOG.atWarn().addKeyValue("pod", title).setCause(e).log("program did not start");
            kubelet.warn(
                    first, "BackOff", "Back-off restarting failed container: " + e.getMessage());
            restarts++;
            report("CrashLoopBackOff");
            return false;
        }
    }

    /**
     * A sandbox whose network is not what it was given is replaced, as after a restart of the
     * machine.
     */
    private void lookAfterSandbox() throws InterruptedException {
        PodSandbox present = sandbox;
        if (present == null || !present.added().ok() || isEnding()) {
            return;
        }
        CniReply reply = present.check();
        if (reply.ok() || reply.code() == CniReply.TRY_AGAIN_LATER) {
            return; // fine, or nobody there to ask
        }
        kubelet.warn(
                first,
                "SandboxChanged",
                "Pod sandbox changed, it will be killed and re-created: " + reply.message());
        removeSandbox();
    }

    private void lookAfterProgram() {
        Program running = program;
        if (running != null && !running.alive()) {
            program = null;
            started = null;
            restarts++;
            report("CrashLoopBackOff");
        }
    }

    private void takeDown() throws InterruptedException {
        Program running = program;
        program = null;
        if (running != null) {
            running.stop();
        }
        Backoff backoff = new Backoff(kubelet.settings());
        while (!removeSandbox()) {
            timeline.sleep(timeline.jitter(backoff.next(), 0.2));
        }
        while (pod != null) {
            try {
                kubelet.calls()
                        .remove(
                                first.getMetadata().getNamespace(),
                                Meta.name(first.getMetadata()),
                                Meta.uid(first.getMetadata()));
                return;
            } catch (ApiFailure.Stale e) {
                return;
            } catch (ApiFailure e) {
                timeline.sleep(timeline.jitter(backoff.next(), 0.2));
            }
        }
    }

    /** Ends what runs without a word to anybody: the machine is switched off. */
    void powerOff() {
        Program running = program;
        program = null;
        if (running != null) {
            running.stop();
        }
    }

    private void report(String waiting) {
        boolean running = waiting.isEmpty();
        Program now = program;
        PodSandbox present = sandbox;
        List<String> addresses = List.of();
        if (Pods.hostNetwork(first)) {
            addresses = List.of(kubelet.machine().internalIp());
        } else if (present != null && present.added().ok()) {
            addresses = present.added().addresses();
        }
        PodStatusText text =
                new PodStatusText(
                        addresses,
                        running,
                        running && (now == null || now.ready()),
                        waiting,
                        restarts,
                        present == null ? Meta.uid(first.getMetadata()) : present.containerId(),
                        started);
        if (!text.equals(reported)) {
            reported = kubelet.writeStatus(first, text) ? text : null;
        }
    }

    private OffsetDateTime now() {
        return timeline.now().atOffset(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS);
    }

    /** Longer and longer, up to a limit. */
    private static final class Backoff {
        private final KubeletSettings settings;
        private Duration next;

        Backoff(KubeletSettings settings) {
            this.settings = settings;
            this.next = settings.retry();
        }

        Duration next() {
            Duration now = next;
            Duration doubled = now.multipliedBy(2);
            next = doubled.compareTo(settings.retryMost()) > 0 ? settings.retryMost() : doubled;
            return now;
        }

        void reset() {
            next = settings.retry();
        }
    }
}
