package io.coil.agent.block;

import io.coil.agent.hold.SharedHoldings;
import io.coil.agent.hold.Turns;
import io.coil.agent.hold.Waiters;
import io.coil.core.holdings.Assignment;
import io.coil.core.holdings.BlockFacts;
import io.coil.core.holdings.BlockIdentity;
import io.coil.core.holdings.BlockState;
import io.coil.core.net.Cidr;
import io.coil.core.net.InvalidAddressException;
import io.coil.core.pool.BlockRange;
import io.coil.core.pool.PoolSwitches;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.events.Events;
import io.coil.kubernetes.events.Subject;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Timeline;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Takes a block into use, or learns that it drains or is gone. Whatever told of it (a watch, a
 * request, a list) is a hint: the block is read live, and its pool too, before anything is given
 * from it.
 */
public final class Adoption {
    private static final Logger LOG = LoggerFactory.getLogger(Adoption.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** What the live read led to. */
    public enum Outcome {
        SERVING,
        DRAINING,
        NOT_OURS
    }

    private final String node;
    private final KubeApi api;
    private final Routes routes;
    private final Events events;
    private final Timeline time;
    private final SharedHoldings holdings;
    private final Turns<String> turns;
    private final Waiters waiters;
    private final Runnable changed;

    public Adoption(
            String node,
            KubeApi api,
            Routes routes,
            Timeline time,
            SharedHoldings holdings,
            Turns<String> turns,
            Waiters waiters,
            Events events,
            Runnable changed) {
        this.node = node;
        this.api = api;
        this.routes = routes;
        this.events = events;
        this.time = time;
        this.holdings = holdings;
        this.turns = turns;
        this.waiters = waiters;
        this.changed = changed;
    }

    /** Looks at the block of that name, live, and acts on what is there. */
    public Outcome look(String name) throws InterruptedException {
        try (Turns.Turn turn = turns.take(name, PATIENCE)) {
            if (turn == null) {
                throw new ApiFailure.Transient(
                        0,
                        "Busy",
                        "something else is still being done to block " + name,
                        Duration.ZERO,
                        null);
            }
            Optional<AddressBlock> live = api.get(Kinds.BLOCKS, null, name);
            boolean ours = live.isPresent() && node.equals(live.get().node());
            String held = holdings.with(h -> h.held().uid(name));
            if (held != null && (!ours || !held.equals(Meta.uid(live.get().metadata())))) {
                gone(name, held);
            }
            return ours ? take(live.get()) : Outcome.NOT_OURS;
        }
    }

    private Outcome take(AddressBlock block) {
        BlockIdentity id;
        try {
            id = identity(block);
        } catch (InvalidAddressException e) {
            LOG.atWarn()
                    .addKeyValue("block", Meta.name(block.metadata()))
                    .addKeyValue("reason", e.getMessage())
                    .log("block cannot be used");
            return Outcome.NOT_OURS;
        }
        BlockFacts facts = facts(block, id);
        if (holdings.with(h -> h.returns().onItsWay(id.name(), id.uid()))) {
            adopt(id, facts); // its route is withdrawn, and stays so
        } else if (facts.state() != BlockState.SERVING && !isUsed(id)) {
            adopt(id, facts); // gives nothing: what it covers may be another's, so no route to here
        } else {
            routes.exportThen(id, () -> adopt(id, facts));
        }
        waiters.wake(id.pool());
        changed.run();
        return facts.state() == BlockState.SERVING ? Outcome.SERVING : Outcome.DRAINING;
    }

    private boolean isUsed(BlockIdentity id) {
        return holdings.with(
                h ->
                        h.assignments().stream()
                                .flatMap(a -> a.addresses().stream())
                                .anyMatch(id.range()::contains));
    }

    private void adopt(BlockIdentity id, BlockFacts facts) {
        long now = time.nanos();
        if (holdings.with(h -> h.adopt(id, facts, now))) {
            LOG.atInfo()
                    .addKeyValue("block", id.name())
                    .addKeyValue("pool", id.pool())
                    .addKeyValue("state", facts.state())
                    .log("block adopted");
        }
    }

    /** What a block covers; nothing if nobody can read it. */
    public static List<Cidr> rangesOf(AddressBlock block) {
        try {
            return BlockRange.parse(block.ipv4(), block.ipv6()).ranges();
        } catch (InvalidAddressException e) {
            return List.of();
        }
    }

    static BlockIdentity identity(AddressBlock block) {
        String pool = block.pool();
        if (pool == null) {
            throw new InvalidAddressException("the block has no label for its pool");
        }
        return new BlockIdentity(
                Meta.name(block.metadata()),
                Meta.uid(block.metadata()),
                pool,
                Meta.ownerUid(block.metadata(), Kinds.POOLS.kind()),
                BlockRange.parse(block.ipv4(), block.ipv6()),
                block.reserved());
    }

    private BlockFacts facts(AddressBlock block, BlockIdentity id) {
        boolean beingDeleted = Meta.beingDeleted(block.metadata());
        Optional<AddressPool> pool = api.get(Kinds.POOLS, null, id.pool());
        boolean poolGone =
                pool.isEmpty()
                        || Meta.beingDeleted(pool.get().metadata())
                        || (id.poolUid() != null
                                && !id.poolUid().equals(Meta.uid(pool.get().metadata())));
        boolean drain = PoolSwitches.parse(Meta.annotations(block.metadata())).switches().drain();
        return new BlockFacts(beingDeleted, poolGone || overlapsAnother(id), drain);
    }

    /** Two blocks that somebody made by hand may overlap: the later one never gives an address. */
    private boolean overlapsAnother(BlockIdentity id) {
        boolean overlaps =
                holdings.with(
                        h ->
                                h.held().identities().stream()
                                        .anyMatch(
                                                other ->
                                                        !other.name().equals(id.name())
                                                                && other.range()
                                                                        .overlaps(id.range())));
        if (overlaps) {
            LOG.atWarn()
                    .addKeyValue("block", id.name())
                    .log("block overlaps another of this node, and gives no address");
        }
        return overlaps;
    }

    /**
     * A live read said so: the block is not there, or not ours. To be called in the block's turn.
     * The record keeps it until its route is withdrawn, so that a kernel that fails is asked again.
     */
    private void gone(String name, String uid) {
        Optional<BlockIdentity> id =
                holdings.with(
                        h -> {
                            h.stopGiving(name, uid);
                            return h.held().identities().stream()
                                    .filter(b -> b.name().equals(name))
                                    .findFirst();
                        });
        id.ifPresent(routes::withdraw);
        List<Assignment> left = holdings.with(h -> h.forget(name, uid));
        LOG.atInfo()
                .addKeyValue("block", name)
                .addKeyValue("containersLeft", left.size())
                .log("block is gone");
        tell(name, left);
        changed.run();
    }

    /** Its addresses may be another node's now: only a human can say what is to become of them. */
    private void tell(String block, List<Assignment> left) {
        if (!left.isEmpty()) {
            events.warning(
                    Subject.node(node),
                    "BlockGone",
                    "block %s is not this node's any more, and %d %s: %s; delete these pods"
                            .formatted(
                                    block,
                                    left.size(),
                                    left.size() == 1
                                            ? "container still has an address of it"
                                            : "containers still have addresses of it",
                                    Containers.text(left)));
        }
    }
}
