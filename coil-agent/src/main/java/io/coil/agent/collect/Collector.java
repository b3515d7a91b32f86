package io.coil.agent.collect;

import io.coil.agent.AgentSettings;
import io.coil.agent.block.Returns;
import io.coil.agent.block.Routes;
import io.coil.agent.hold.SharedHoldings;
import io.coil.agent.kernel.KernelFailure;
import io.coil.agent.pool.PoolDirectory;
import io.coil.core.garbage.Trigger;
import io.coil.core.holdings.Assignment;
import io.coil.core.holdings.BlockIdentity;
import io.coil.core.holdings.ContainerKey;
import io.coil.core.holdings.Surplus;
import io.coil.core.net.Cidr;
import io.coil.core.pool.BlockRange;
import io.coil.core.pool.CollectionMode;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.RunItem;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Collects what is garbage on this node: by the clock, and for whoever asks. Every act is decided
 * again when it is done.
 */
public final class Collector {
    private static final Logger LOG = LoggerFactory.getLogger(Collector.class);
    private static final Duration RETURN_PATIENCE = Duration.ofSeconds(20);

    private final AgentSettings settings;
    private final KubeApi api;
    private final Timeline time;
    private final SharedHoldings holdings;
    private final PoolDirectory pools;
    private final Returns returns;
    private final Consumer<Assignment> freed;
    private final Routes routes;
    private final Tally tally;
    private final NodeLook nodeLook;

    /**
     * A collector; nothing happens before {@link #run} or a run.
     *
     * @param freed told of each address that a rule has freed
     */
    public Collector(
            AgentSettings settings,
            KubeApi api,
            NodeLook nodeLook,
            Timeline time,
            SharedHoldings holdings,
            PoolDirectory pools,
            Returns returns,
            Routes routes,
            Consumer<Assignment> freed,
            Tally tally) {
        this.settings = settings;
        this.api = api;
        this.time = time;
        this.holdings = holdings;
        this.pools = pools;
        this.returns = returns;
        this.freed = freed;
        this.routes = routes;
        this.tally = tally;
        this.nodeLook = nodeLook;
    }

    /** Collects periodically until stopped; sooner again when a first look needs its second. */
    public void run() throws InterruptedException {
        while (true) {
            Duration wait = time.jitter(settings.collectionInterval(), 0.1);
            try {
                Duration second = round();
                if (second != null && second.compareTo(wait) < 0) {
                    wait = second;
                }
            } catch (KernelFailure | ApiFailure e) {
                LOG.atWarn().addKeyValue("reason", e.getMessage()).log("collection cut short");
            }
            time.sleep(wait);
        }
    }

    /** One periodic round; returns how soon a second look is due, or null. */
    public @Nullable Duration round() throws InterruptedException {
        for (BlockIdentity block : nodeLook.withoutRoute()) {
            routes.restore(block);
        }
        List<Finding> findings = nodeLook.look();
        tally.found(findings);
        for (Finding finding : findings) {
            if (finding.ripe() && Trigger.PERIODIC.allowedBy(modeFor(finding.item()))) {
                RunItem done = act(finding);
                LOG.atInfo()
                        .addKeyValue("rule", done.rule())
                        .addKeyValue("name", done.name())
                        .addKeyValue("evidence", done.evidence())
                        .addKeyValue("outcome", done.outcome())
                        .log("collected");
            }
        }
        return nodeLook.nextLook(findings);
    }

    List<Finding> look() {
        return nodeLook.look();
    }

    /** What a look finds now, whether it may be collected yet or not. */
    public List<RunItem> found() {
        return look().stream().map(Finding::item).toList();
    }

    /** The mode in force for what a finding is about. */
    CollectionMode modeFor(RunItem item) {
        return item.pool() == null ? pools.nodeMode() : pools.terms(item.pool()).collection();
    }

    /** Does what a finding asks for, if it is still true. */
    RunItem act(Finding finding) throws InterruptedException {
        RunItem result = attempt(finding);
        tally.acted(result);
        return result;
    }

    private RunItem attempt(Finding finding) throws InterruptedException {
        try {
            return switch (finding.act()) {
                case Finding.Act.ReturnBlock(BlockIdentity block) ->
                        giveBack(finding.item(), block);
                case Finding.Act.FreeAddress(ContainerKey key, long since) ->
                        free(finding.item(), key, since);
                case Finding.Act.WithdrawRoute(Cidr route) -> withdraw(finding.item(), route);
                case Finding.Act.Report none -> finding.item().reported();
            };
        } catch (KernelFailure | ApiFailure e) {
            return finding.item().with(RunItem.FAILED, e.getMessage());
        }
    }

    private RunItem giveBack(RunItem item, BlockIdentity block) throws InterruptedException {
        boolean begun =
                holdings.with(
                        h -> {
                            Surplus now = h.surplus(pools::terms, time.nanos());
                            return now.due().stream().anyMatch(d -> d.block().id().equals(block))
                                    && h.returns().begin(block.name(), block.uid());
                        });
        if (!begun) {
            return item.with(RunItem.NO_LONGER_TRUE, "it is in use, on its way, or gone");
        }
        Timeline.Running running = returns.start(block);
        return running.awaitEnd(RETURN_PATIENCE)
                ? item.with(RunItem.DONE, null)
                : item.with(RunItem.FAILED, "not gone yet; it is tried again until it is");
    }

    private RunItem free(RunItem item, ContainerKey key, long sinceNanos) {
        Assignment gone =
                holdings.<@Nullable Assignment>with(
                        h -> {
                            Assignment present = h.assignment(key);
                            return present != null && present.sinceNanos() == sinceNanos
                                    ? h.free(key, pools::terms, time.nanos())
                                    : null;
                        });
        if (gone == null) {
            return item.with(RunItem.NO_LONGER_TRUE, "the container has gone, or has come again");
        }
        freed.accept(gone);
        return item.with(RunItem.DONE, null);
    }

    private RunItem withdraw(RunItem item, Cidr route) {
        boolean wanted =
                api
                        .list(Kinds.BLOCKS, Selection.labelled(Names.NODE, settings.nodeName()))
                        .items()
                        .stream()
                        .anyMatch(
                                b -> BlockRange.parse(b.ipv4(), b.ipv6()).ranges().contains(route));
        return !wanted && routes.withdrawStray(route)
                ? item.with(RunItem.DONE, null)
                : item.with(RunItem.NO_LONGER_TRUE, "a block of this node has that range");
    }
}
