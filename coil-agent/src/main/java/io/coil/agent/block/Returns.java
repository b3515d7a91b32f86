package io.coil.agent.block;

import io.coil.agent.hold.SharedHoldings;
import io.coil.agent.hold.Turns;
import io.coil.agent.kernel.KernelFailure;
import io.coil.agent.pool.PoolDirectory;
import io.coil.core.holdings.BlockIdentity;
import io.coil.core.holdings.Surplus;
import io.coil.core.pool.CollectionMode;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.Finalizers;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Persistent;
import io.coil.kubernetes.time.Timeline;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Gives empty blocks back: stop giving, withdraw the route, DELETE, take the finalizer off. Each
 * try begins with a live read; an error is retried with back-off for as long as it takes.
 */
public final class Returns {
    private static final Logger LOG = LoggerFactory.getLogger(Returns.class);
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(30);
    private static final Duration FIRST_BACKOFF = Duration.ofMillis(200);
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(30);

    private final String node;
    private final KubeApi api;
    private final Routes routes;
    private final Timeline time;
    private final SharedHoldings holdings;
    private final Turns<String> turns;
    private final PoolDirectory pools;
    private final Runnable givenBack;
    private final Consumer<String> returned;
    private final Timeline.Signal look;

    /**
     * Nothing is returned before {@link #run} runs.
     *
     * @param givenBack told of each block that has gone
     * @param returned told the pool of a block that has gone, or that failed to go once
     */
    public Returns(
            String node,
            KubeApi api,
            Routes routes,
            Timeline time,
            SharedHoldings holdings,
            Turns<String> turns,
            PoolDirectory pools,
            Runnable givenBack,
            Consumer<String> returned) {
        this.node = node;
        this.api = api;
        this.routes = routes;
        this.time = time;
        this.holdings = holdings;
        this.turns = turns;
        this.pools = pools;
        this.givenBack = givenBack;
        this.returned = returned;
        this.look = time.signal();
    }

    /** Something changed that may have made a block surplus. */
    public void look() {
        look.raise();
    }

    /** Watches for surplus blocks until stopped: by event, and by the clock. */
    public void run() throws InterruptedException {
        while (true) {
            long now = time.nanos();
            List<BlockIdentity> chosen = new ArrayList<>();
            Surplus surplus =
                    holdings.with(
                            h -> {
                                Surplus s = h.surplus(pools::terms, now);
                                for (Surplus.Due due : s.due()) {
                                    BlockIdentity id = due.block().id();
                                    if (byItself(due) && h.returns().begin(id.name(), id.uid())) {
                                        chosen.add(id);
                                    }
                                }
                                return s;
                            });
            for (BlockIdentity id : chosen) {
                start(id);
            }
            long wait =
                    Math.min(
                            LONGEST_LOOK.toNanos(),
                            Math.max(0, surplus.nextLookNanos() - time.nanos()));
            look.await(Duration.ofNanos(wait));
        }
    }

    /**
     * What somebody deleted goes whatever the mode; the rest by itself only where collection is on.
     */
    private boolean byItself(Surplus.Due due) {
        return due.wasDeleted()
                || pools.terms(due.block().id().pool()).collection() == CollectionMode.ON;
    }

    /**
     * Begins to give a block back, beside the caller. {@link
     * io.coil.core.holdings.BlockReturns#begin} came before. Ends when the block is gone, or is
     * wanted again.
     */
    public Timeline.Running start(BlockIdentity id) {
        String name = "return " + id.name();
        return time.start(name, new Persistent(time, name, () -> untilGone(id)));
    }

    private void untilGone(BlockIdentity id) throws InterruptedException {
        Duration backoff = FIRST_BACKOFF;
        while (true) {
            try {
                if (oneTry(id)) {
                    return;
                }
            } catch (ApiFailure | KernelFailure e) {
                holdings.change(h -> h.returns().failed(id.name(), id.uid()));
                returned.accept(id.pool());
                LOG.atWarn()
                        .addKeyValue("block", id.name())
                        .addKeyValue("reason", e.getMessage())
                        .log("block not given back yet, will be tried again");
                time.sleep(time.jitter(backoff, 0.3));
                Duration doubled = backoff.multipliedBy(2);
                backoff = doubled.compareTo(LONGEST_BACKOFF) > 0 ? LONGEST_BACKOFF : doubled;
            }
        }
    }

    /** One step; true when nothing is left to do. */
    private boolean oneTry(BlockIdentity id) throws InterruptedException {
        try (Turns.Turn turn = turns.take(id.name(), LONGEST_LOOK)) {
            if (turn == null) {
                return false;
            }
            if (!holdings.with(h -> h.returns().onItsWay(id.name(), id.uid()))) {
                return true;
            }
            routes.withdraw(id);
            Optional<AddressBlock> live = api.get(Kinds.BLOCKS, null, id.name());
            if (live.isEmpty() || !isOurs(live.get(), id)) {
                return forget(id);
            }
            AddressBlock block = live.get();
            if (Meta.beingDeleted(block.metadata())) {
                holdings.change(h -> h.returns().deletedByOthers(id.name(), id.uid()));
                takeFinalizerOff(block);
                return forget(id);
            }
            if (block.reserved() && holdings.with(h -> h.returns().abandon(id.name(), id.uid()))) {
                routes.exportThen(id, () -> {});
                return true;
            }
            if (!holdings.with(h -> h.returns().deleteIsSent(id.name(), id.uid()))) {
                return true;
            }
            Optional<AddressBlock> deleted = delete(block);
            if (deleted.isEmpty()) {
                return false; // changed, or gone: the next try reads
            }
            takeFinalizerOff(deleted.get());
            return forget(id);
        }
    }

    /** An API that was restored from a backup may say that the block is another node's. */
    private boolean isOurs(AddressBlock block, BlockIdentity id) {
        return Meta.uid(block.metadata()).equals(id.uid()) && node.equals(block.node());
    }

    /** As it is after its DELETE, while a finalizer holds it; empty if that says nothing. */
    private Optional<AddressBlock> delete(AddressBlock block) {
        try {
            return api.delete(
                    Kinds.BLOCKS,
                    null,
                    Meta.name(block.metadata()),
                    Preconditions.of(block.metadata()));
        } catch (ApiFailure.Stale e) {
            LOG.atDebug()
                    .addKeyValue("block", Meta.name(block.metadata()))
                    .log("block changed before its deletion, read again");
            return Optional.empty();
        }
    }

    private void takeFinalizerOff(AddressBlock block) {
        Optional<String> patch = Finalizers.without(block.metadata());
        if (patch.isEmpty()) {
            return;
        }
        try {
            api.patch(
                    Kinds.BLOCKS,
                    null,
                    Meta.name(block.metadata()),
                    Preconditions.of(block.metadata()),
                    patch.get());
        } catch (ApiFailure.Stale e) {
            if (!e.notFound()) {
                throw e;
            }
        }
    }

    private boolean forget(BlockIdentity id) {
        holdings.change(h -> h.forget(id.name(), id.uid()));
        givenBack.run();
        LOG.atInfo()
                .addKeyValue("block", id.name())
                .addKeyValue("pool", id.pool())
                .log("block given back");
        returned.accept(id.pool());
        return true;
    }
}
