package io.coil.agent;

import io.coil.agent.block.Adoption;
import io.coil.agent.block.BlockSync;
import io.coil.agent.block.Returns;
import io.coil.agent.cni.Addresses;
import io.coil.agent.cni.CniReply;
import io.coil.agent.cni.CniRequest;
import io.coil.agent.cni.CniServer;
import io.coil.agent.collect.Collector;
import io.coil.agent.collect.Runs;
import io.coil.agent.hold.SharedHoldings;
import io.coil.agent.hold.Turns;
import io.coil.agent.hold.Waiters;
import io.coil.agent.kernel.Kernel;
import io.coil.agent.kernel.KernelFailure;
import io.coil.agent.pool.PoolDirectory;
import io.coil.agent.report.Reporter;
import io.coil.agent.request.Asker;
import io.coil.agent.start.Rebuild;
import io.coil.core.holdings.Assignment;
import io.coil.core.holdings.BlockView;
import io.coil.core.holdings.NodeHoldings;
import io.coil.core.pool.CollectionMode;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.events.Events;
import io.coil.kubernetes.time.Persistent;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The agent of one node: gives addresses of the node's blocks to containers, asks for blocks, gives
 * them back, collects what leaks here. Does nothing to the world but through API, kernel and time.
 */
public final class Agent {
    private static final Logger LOG = LoggerFactory.getLogger(Agent.class);
    private static final Duration AGAIN = Duration.ofMillis(500);
    private static final Duration LONGEST_STOP = Duration.ofSeconds(2);

    private final AgentSettings settings;
    private final Kernel kernel;
    private final Timeline time;
    private final SharedHoldings holdings;
    private final Waiters waiters;
    private final Watches watches;
    private final PoolDirectory pools;
    private final BlockSync blockSync;
    private final Returns returns;
    private final Asker asker;
    private final Collector collector;
    private final Reporter reporter;
    private final Events events;
    private final Runs runs;
    private final Rebuild rebuild;
    private final CniServer cni;
    private final List<Timeline.Running> tasks = new CopyOnWriteArrayList<>();
    private volatile @Nullable String notServing = "the agent has not started yet";
    private volatile Kernel.@Nullable Claim claim;

    /** An agent that does nothing before {@link #start}. */
    public Agent(KubeApi api, Kernel kernel, Timeline time, AgentSettings settings) {
        this.settings = settings;
        this.kernel = kernel;
        this.time = time;
        this.holdings =
                new SharedHoldings(
                        new NodeHoldings(
                                settings.linger().toNanos(), settings.demandHold().toNanos()));
        this.events = new Events(api, time, "coil-agent", settings.nodeName());
        this.waiters = new Waiters(time);
        this.watches =
                new Watches(
                        api,
                        time,
                        settings.nodeName(),
                        new Watches.Listeners(
                                this::poolChanged,
                                this::blocksChanged,
                                this::requestsChanged,
                                this::runsChanged,
                                this::nodeChanged));
        this.pools =
                new PoolDirectory(
                        api, settings, watches::pool, watches::namespace, watches::nodeMode);
        Turns<String> turns = new Turns<>(time);
        Adoption adoption =
                new Adoption(
                        settings.nodeName(),
                        api,
                        kernel,
                        time,
                        holdings,
                        turns,
                        waiters,
                        this::holdingsChanged);
        this.blockSync = new BlockSync(adoption, holdings, time, watches::blocks);
        this.returns =
                new Returns(api, kernel, time, holdings, turns, pools, this::blockWentOrStays);
        this.asker =
                new Asker(
                        api,
                        time,
                        settings,
                        holdings,
                        turns,
                        waiters,
                        kernel,
                        adoption,
                        pools::terms,
                        watches::requests);
        Addresses addresses =
                new Addresses(settings, time, holdings, pools, waiters, asker, this::addressFreed);
        this.collector =
                new Collector(
                        settings,
                        api,
                        kernel,
                        time,
                        holdings,
                        pools,
                        returns,
                        a -> addressFreed(a.pool()),
                        events);
        this.reporter = new Reporter(settings, api, time, holdings, pools);
        this.runs = new Runs(settings.nodeName(), api, time, collector, reporter, watches::runs);
        this.rebuild = new Rebuild(settings, api, kernel, time, holdings, adoption);
        this.cni =
                new CniServer(
                        addresses,
                        pools,
                        holdings,
                        kernel,
                        new Turns<>(time),
                        () -> notServing,
                        events);
    }

    /**
     * Starts: takes the right to serve this machine, and rebuilds beside. Calls are answered with
     * "try again later" until that is done.
     *
     * @throws KernelFailure if another agent serves this machine
     */
    public void start() {
        claim = kernel.claim();
        notServing = "the agent is starting";
        watches.start();
        events.start();
        task("rebuild", this::rebuildAndServe);
    }

    private void rebuildAndServe() throws InterruptedException {
        while (true) {
            try {
                if (!watches.synced()) {
                    notServing = "the agent is starting: the Kubernetes API has not answered yet";
                    continue;
                }
                reporter.readLast();
                rebuild.once();
                break;
            } catch (Rebuild.NotYet e) {
                say(String.valueOf(e.getMessage()));
            } catch (ApiFailure | KernelFailure e) {
                say("the agent is starting: " + e.getMessage());
            }
            time.sleep(time.jitter(AGAIN, 0.3));
        }
        notServing = null;
        asker.adoptRequests();
        task("blocks", blockSync::run);
        task("returns", returns::run);
        task("collector", collector::run);
        task("runs", runs::run);
        task("reporter", reporter::run);
        LOG.atInfo().addKeyValue("node", settings.nodeName()).log("serving");
    }

    private void say(String why) {
        if (!why.equals(notServing)) {
            LOG.atWarn()
                    .addKeyValue("node", settings.nodeName())
                    .addKeyValue("reason", why)
                    .log("not serving");
        }
        notServing = why;
    }

    private void task(String name, Timeline.Task task) {
        String full = settings.nodeName() + " " + name;
        tasks.add(time.start(full, new Persistent(time, full, task)));
    }

    /**
     * Stops. What it has given stays in the kernel and in the API, where the next agent finds it.
     */
    public void stop() throws InterruptedException {
        notServing = "the agent is stopping";
        watches.stop();
        events.stop();
        if (!tasks.isEmpty()) {
            end(tasks.getFirst()); // the one that starts the others
        }
        tasks.forEach(Timeline.Running::stop);
        for (Timeline.Running task : tasks) {
            end(task);
        }
        Kernel.Claim mine = claim;
        if (mine != null) {
            mine.close();
        }
    }

    private static void end(Timeline.Running task) throws InterruptedException {
        task.stop();
        task.awaitEnd(LONGEST_STOP);
    }

    /** Answers the plugin. */
    public CniReply call(CniRequest request) throws InterruptedException {
        return cni.call(request);
    }

    /** Why it does not serve, or null. */
    public @Nullable String notServing() {
        return notServing;
    }

    /** How long the API has not been seen. */
    public Duration apiSilence() {
        return watches.silence();
    }

    public String nodeName() {
        return settings.nodeName();
    }

    /** The blocks that are held, by name. */
    public List<BlockView> blocks() {
        return holdings.with(h -> h.blocks(pools::terms, time.nanos()));
    }

    public List<Assignment> assignments() {
        return holdings.with(NodeHoldings::assignments);
    }

    /** The mode in force on this node, pools aside. */
    public CollectionMode collection() {
        return pools.nodeMode();
    }

    /** One round of collection now, besides the periodic ones. */
    public void collectNow() throws InterruptedException {
        collector.round();
    }

    private void poolChanged(String pool) {
        waiters.wake(pool);
        returns.look();
    }

    private void blocksChanged() {
        blockSync.changed();
    }

    private void requestsChanged() {
        if (notServing == null) {
            asker.requestsChanged();
        }
    }

    private void runsChanged() {
        runs.changed();
    }

    private void nodeChanged() {
        returns.look();
    }

    private void holdingsChanged() {
        returns.look();
    }

    private void addressFreed(String pool) {
        waiters.wake(pool);
        returns.look();
    }

    private void blockWentOrStays(String pool) {
        asker.nudge(pool);
        boolean failed = blocks().stream().anyMatch(BlockView::returnFailed);
        if (failed) {
            reporter.soon();
        }
    }
}
