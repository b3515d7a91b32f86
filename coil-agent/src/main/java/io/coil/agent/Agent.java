package io.coil.agent;

import io.coil.agent.block.Adoption;
import io.coil.agent.block.BlockSync;
import io.coil.agent.block.Keeping;
import io.coil.agent.block.Returns;
import io.coil.agent.block.Routes;
import io.coil.agent.cni.Addresses;
import io.coil.agent.cni.CniReply;
import io.coil.agent.cni.CniRequest;
import io.coil.agent.cni.CniServer;
import io.coil.agent.collect.Collector;
import io.coil.agent.collect.NodeLook;
import io.coil.agent.collect.Runs;
import io.coil.agent.collect.Tally;
import io.coil.agent.hold.SharedHoldings;
import io.coil.agent.hold.Turns;
import io.coil.agent.hold.Waiters;
import io.coil.agent.journal.Memory;
import io.coil.agent.kernel.Kernel;
import io.coil.agent.kernel.KernelFailure;
import io.coil.agent.pool.PoolDirectory;
import io.coil.agent.report.Reporter;
import io.coil.agent.request.Asker;
import io.coil.agent.request.ControllerSight;
import io.coil.agent.start.Rebuild;
import io.coil.core.garbage.Rule;
import io.coil.core.holdings.Assignment;
import io.coil.core.holdings.BlockView;
import io.coil.core.holdings.NodeHoldings;
import io.coil.core.pool.CollectionMode;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.events.Events;
import io.coil.kubernetes.resource.NodeBlockUsage;
import io.coil.kubernetes.resource.RunItem;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/**
 * The agent of one node: gives addresses of the node's blocks to containers, asks for blocks, gives
 * them back, collects what leaks here. Does nothing to the world but through API, kernel and time.
 */
public final class Agent {
    private final AgentSettings settings;
    private final Timeline time;
    private final SharedHoldings holdings;
    private final Waiters waiters;
    private final Watches watches;
    private final PoolDirectory pools;
    private final BlockSync blockSync;
    private final Returns returns;
    private final Asker asker;
    private final Tally tally;
    private final Collector collector;
    private final Reporter reporter;
    private final Runs runs;
    private final ControllerSight controllers;
    private final CniServer cni;
    private final Lifecycle lifecycle;
    private final Lifecycle.Parts parts;
    private volatile CallsTold told = (command, done, nanos) -> {};

    /** An agent that does nothing before {@link #start}. */
    public Agent(KubeApi api, Kernel kernel, Timeline timeline, AgentSettings settings) {
        OwnTasks own = new OwnTasks(timeline);
        this.settings = settings;
        this.time = own;
        this.lifecycle = new Lifecycle(settings.nodeName(), kernel, own);
        this.holdings =
                new SharedHoldings(
                        new NodeHoldings(
                                settings.linger().toNanos(), settings.demandHold().toNanos()));
        Events events = new Events(api, time, "coil-agent", settings.nodeName());
        this.tally = new Tally(settings.nodeName(), events);
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
                                this::mayBeSurplus));
        this.pools =
                new PoolDirectory(
                        api, settings, watches::pool, watches::namespace, watches::nodeMode);
        Memory memory = new Memory(kernel.journal(), time, holdings, pools::terms);
        Turns<String> turns = new Turns<>(time);
        Routes routes = new Routes(kernel, holdings, turns);
        Adoption adoption =
                new Adoption(
                        settings.nodeName(),
                        api,
                        routes,
                        time,
                        holdings,
                        turns,
                        waiters,
                        events,
                        this::mayBeSurplus);
        this.blockSync = new BlockSync(adoption, holdings, time, watches::blocks);
        this.returns =
                new Returns(
                        settings.nodeName(),
                        api,
                        routes,
                        time,
                        holdings,
                        turns,
                        pools,
                        tally::blockGivenBack,
                        this::blockWentOrStays);
        this.asker =
                new Asker(
                        new Asker.Means(
                                api,
                                time,
                                settings,
                                holdings,
                                waiters,
                                adoption,
                                new Keeping(routes, holdings, turns),
                                pools::terms),
                        watches::requests);
        Addresses addresses =
                new Addresses(
                        settings,
                        time,
                        holdings,
                        pools,
                        waiters,
                        asker,
                        memory,
                        this::addressFreed);
        this.collector =
                new Collector(
                        settings,
                        api,
                        new NodeLook(settings, kernel, time, holdings, pools),
                        time,
                        holdings,
                        pools,
                        returns,
                        routes,
                        a -> {
                            memory.freed(a);
                            addressFreed(a.pool());
                        },
                        tally);
        this.reporter = new Reporter(settings, api, time, holdings, pools);
        this.runs = new Runs(settings.nodeName(), api, time, collector, reporter, watches::runs);
        this.controllers = new ControllerSight(api, time);
        this.cni =
                new CniServer(
                        addresses,
                        pools,
                        holdings,
                        kernel,
                        time,
                        memory,
                        lifecycle::notServing,
                        this::cannotGive,
                        events);
        this.parts =
                new Lifecycle.Parts(
                        watches,
                        events,
                        reporter,
                        new Rebuild(
                                settings, api, kernel, time, holdings, adoption, routes, memory),
                        waiters,
                        asker::adoptRequests,
                        List.of(
                                new Lifecycle.Work("blocks", blockSync::run),
                                new Lifecycle.Work("returns", returns::run),
                                new Lifecycle.Work("collector", collector::run),
                                new Lifecycle.Work("runs", runs::run),
                                new Lifecycle.Work("reporter", reporter::run)),
                        new Farewell(settings, api, kernel)::say);
    }

    /**
     * Starts: takes the right to serve this machine, and rebuilds beside. Calls are answered with
     * "try again later" until that is done.
     *
     * @throws KernelFailure if another agent serves this machine
     */
    public void start() {
        lifecycle.start(parts);
    }

    /**
     * Stops. What it has given stays in the kernel and in the API, where the next agent finds it.
     */
    public void stop() throws InterruptedException {
        lifecycle.stop();
    }

    /** Answers the plugin. */
    public CniReply call(CniRequest request) throws InterruptedException {
        long begin = time.nanos();
        CniReply reply = cni.call(request);
        told.ended(
                request.environment().getOrDefault("CNI_COMMAND", ""),
                reply.exitCode() == 0,
                time.nanos() - begin);
        return reply;
    }

    /** Who is told of calls when they have ended; one at a time. */
    public void tell(CallsTold whom) {
        told = whom;
    }

    /** Why it does not serve, or null. */
    public @Nullable String notServing() {
        return lifecycle.notServing();
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
        return holdings.with(h -> h.held().views(pools::terms, time.nanos()));
    }

    public List<Assignment> assignments() {
        return holdings.with(NodeHoldings::assignments);
    }

    /** The mode in force on this node, pools aside. */
    public CollectionMode collection() {
        return pools.nodeMode();
    }

    /** How often a rule of collection was acted on since the start. */
    public long collected(Rule rule) {
        return tally.collected(rule);
    }

    /** How often acting on a rule has failed since the start. */
    public long notCollected(Rule rule) {
        return tally.failed(rule);
    }

    /**
     * What a look at this node finds now, whether it may be collected yet or not. Throws {@link
     * KernelFailure} if the kernel cannot be read.
     */
    public List<RunItem> leaks() {
        return collector.found();
    }

    /** This node's part in collections on demand, as far as it is still kept. */
    public List<NodeBlockUsage.Run> runs() {
        return reporter.runs();
    }

    /** One round of collection now, besides the periodic ones. */
    public void collectNow() throws InterruptedException {
        collector.round();
    }

    /** Neither an address of its own nor anybody who would grant a block. */
    private @Nullable String cannotGive() {
        if (holdings.with(h -> h.hasRoom(pools::terms, time.nanos()))) {
            return null;
        }
        String absent = controllers.absent();
        return absent == null ? null : "no address is free on this node, and " + absent;
    }

    // ------------------------------------------------------------------ who tells whom

    private void poolChanged(String pool) {
        waiters.wake(pool);
        returns.look();
    }

    private void blocksChanged() {
        blockSync.changed();
    }

    private void requestsChanged() {
        if (lifecycle.serves()) {
            asker.requestsChanged();
        }
    }

    private void runsChanged() {
        runs.changed();
    }

    private void mayBeSurplus() {
        returns.look();
    }

    private void addressFreed(String pool) {
        waiters.wake(pool);
        returns.look();
    }

    private void blockWentOrStays(String pool) {
        asker.nudge(pool);
        if (blocks().stream().anyMatch(BlockView::returnFailed)) {
            reporter.soon();
        }
    }
}
