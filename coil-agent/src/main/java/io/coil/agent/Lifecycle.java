package io.coil.agent;

import io.coil.agent.hold.Waiters;
import io.coil.agent.kernel.Kernel;
import io.coil.agent.kernel.KernelFailure;
import io.coil.agent.report.Reporter;
import io.coil.agent.start.Rebuild;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.events.Events;
import io.coil.kubernetes.events.Subject;
import io.coil.kubernetes.time.Persistent;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;

/**
 * An agent from its start to its end: it takes the right to serve the machine, rebuilds its record,
 * and only then serves; at its end everything that it started has ended.
 */
final class Lifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(Lifecycle.class);
    private static final Duration AGAIN = Duration.ofMillis(500);
    private static final String STOPPING = "the agent is stopping";
    private static final Duration LONGEST_STOP = Duration.ofSeconds(2);

    /** Work that goes on for as long as the agent serves. */
    record Work(String name, Timeline.Task task) {}

    /**
     * What has a start and an end of its own.
     *
     * @param beforeWork done once, when the record is whole
     * @param afterAll done once, when nothing else is done any more
     */
    record Parts(
            Watches watches,
            Events events,
            Reporter reporter,
            Rebuild rebuild,
            Waiters waiters,
            Runnable beforeWork,
            List<Work> works,
            Runnable afterAll) {}

    private final String node;
    private final Kernel kernel;
    private final OwnTasks time;
    private volatile @Nullable Parts parts;
    private volatile @Nullable String notServing = "the agent has not started yet";
    private volatile Kernel.@Nullable Claim claim;
    private boolean over; // guarded by this

    Lifecycle(String node, Kernel kernel, OwnTasks time) {
        this.node = node;
        this.kernel = kernel;
        this.time = time;
    }

    /** Why it does not serve, or null. */
    @Nullable String notServing() {
        return notServing;
    }

    boolean serves() {
        return notServing == null;
    }

    void start(Parts own) {
        parts = own;
        claim = kernel.claim();
        notServing = "the agent is starting";
        own.watches().start();
        own.events().start();
        task(new Work("rebuild", () -> rebuildAndServe(own)));
    }

    private void rebuildAndServe(Parts own) throws InterruptedException {
        while (true) {
            try {
                if (!own.watches().synced()) {
                    notServing = "the agent is starting: the Kubernetes API has not answered yet";
                    continue;
                }
                own.reporter().readLast();
                own.rebuild().once();
                break;
            } catch (Rebuild.NotYet e) {
                say(own, String.valueOf(e.getMessage()));
            } catch (ApiFailure | KernelFailure e) {
                say(own, "the agent is starting: " + e.getMessage());
            }
            time.sleep(time.jitter(AGAIN, 0.3));
        }
        if (!serveNow()) {
            return;
        }
        own.beforeWork().run();
        own.works().forEach(this::task);
        LOG.atInfo().addKeyValue("node", node).log("serving");
    }

    /** An agent that was told to stop while it rebuilt does not begin to serve after all. */
    private synchronized boolean serveNow() {
        if (!over) {
            notServing = null;
        }
        return !over;
    }

    private synchronized void endServing() {
        over = true;
        notServing = STOPPING;
    }

    /** Whoever looks at the node is to see why its pods do not start. */
    private void say(Parts own, String why) {
        if (!why.equals(notServing)) {
            LOG.atWarn().addKeyValue("node", node).addKeyValue("reason", why).log("not serving");
            own.events().warning(Subject.node(node), "NotServing", why);
        }
        notServing = why;
    }

    private void task(Work work) {
        String full = node + " " + work.name();
        time.start(full, new Persistent(time, full, work.task()));
    }

    /**
     * Stops. What it has given stays in the kernel and in the API, where the next agent finds it.
     */
    void stop() throws InterruptedException {
        endServing();
        Parts own = parts;
        if (own != null) {
            own.waiters().failAll(STOPPING);
            own.watches().stop();
            own.events().stop();
        }
        time.end(LONGEST_STOP);
        if (own != null) {
            own.afterAll().run();
        }
        Kernel.Claim mine = claim;
        if (mine != null) {
            mine.close();
        }
    }
}
