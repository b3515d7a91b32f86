package io.coil.simulation.mutant.hook;

import io.coil.agent.block.Adoption;
import io.coil.agent.block.BlockSync;
import io.coil.agent.cni.Addresses;
import io.coil.agent.hold.SharedHoldings;
import io.coil.agent.hold.Waiters;
import io.coil.agent.kernel.Kernel;
import io.coil.agent.request.Asker;
import io.coil.core.block.BlockAllocator;
import io.coil.core.holdings.BlockIdentity;
import io.coil.core.holdings.BlockState;
import io.coil.core.holdings.ContainerKey;
import io.coil.core.holdings.NodeHoldings;
import io.coil.core.holdings.PodRef;
import io.coil.core.holdings.PoolTerms;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What an agent does otherwise. */
public final class AgentHooks {
    private static final Duration LATER = Duration.ofSeconds(20);
    private static final ThreadLocal<@Nullable Timeline> TIME = new ThreadLocal<>();
    private static final ThreadLocal<@Nullable String> POOL = new ThreadLocal<>();

    private AgentHooks() {}

    public static Preconditions none(V1ObjectMeta read) {
        return Preconditions.NONE;
    }

    public static Preconditions uidOnly(V1ObjectMeta read) {
        return Preconditions.uid(Meta.uid(read));
    }

    /** Nobody is asked whether another agent serves this machine. */
    public static Kernel.Claim claimNothing(Kernel kernel) {
        return () -> {};
    }

    /** Spares are spares, whatever becomes of their pool. */
    public static boolean endsBesidesSpares(boolean ends, Object block, PoolTerms terms) {
        return ends && terms.spareBlocks() == 0;
    }

    public static int allSpares(PoolTerms terms) {
        return terms.spareBlocks();
    }

    /** Only who waits looks at a request. */
    public static boolean nobodyWaits(Object asker, String pool, @Nullable String uid) {
        return !Peek.field(asker, "pools", Map.class).containsKey(pool);
    }

    /** A complete request whose block is not ours is left as it is. */
    public static Adoption.Outcome leftIfNotOurs(
            Adoption.Outcome outcome, Adoption adoption, String name) {
        if (outcome == Adoption.Outcome.NOT_OURS) {
            throw new ApiFailure.Transient(0, "Left", "not ours", LATER, null);
        }
        return outcome;
    }

    /**
     * A request that has vanished is waited for as long as an ADD waits.
     *
     * @param asker the task that asks
     */
    public static boolean vanished(Optional<BlockRequest> read, Object asker) {
        if (read.isPresent()) {
            Memory.remove("vanished", asker);
            return false;
        }
        Object means = Peek.field(asker, "with", Object.class);
        Timeline time = Peek.field(means, "time", Timeline.class);
        Waiters waiters = Peek.field(means, "waiters", Waiters.class);
        boolean waiting = waiters.any(Peek.field(asker, "pool", String.class));
        Object since = Memory.get("vanished", asker);
        if (!waiting || Memory.get("awaited", asker) == null) {
            Memory.remove("vanished", asker);
            return true;
        }
        if (since == null) {
            Memory.put(time.nanos(), "vanished", asker);
        } else if (time.nanos() - (Long) since > LATER.toNanos()) {
            Memory.remove("vanished", asker);
            Memory.remove("awaited", asker);
            return true;
        }
        throw new ApiFailure.Transient(0, "Vanished", "waits", Duration.ofSeconds(2), null);
    }

    /** A request is waited for. */
    public static boolean awaits(boolean open, BlockRequest request, Object asker) {
        if (open) {
            Memory.put(true, "awaited", asker);
        }
        return open;
    }

    /** A request was made, and is waited for. */
    public static String awaitsMade(String made, Object request, Object asker) {
        Memory.put(true, "awaited", asker);
        return made;
    }

    /** Remembers the pool that this ADD waits for. */
    public static boolean notePool(Addresses addresses, ContainerKey key, PodRef pod, String pool) {
        POOL.set(pool);
        return false;
    }

    /** An ADD times out: the request that it has waited for is deleted, whichever it is by now. */
    public static boolean deleteRequest(Duration waited, Object addresses) {
        Asker.Means means =
                Peek.field(Peek.field(addresses, "asker", Asker.class), "means", Asker.Means.class);
        try {
            means
                    .api()
                    .list(
                            Kinds.REQUESTS,
                            Selection.labelled(Names.NODE, means.settings().nodeName()))
                    .items()
                    .stream()
                    .filter(r -> r.spec().poolName().equals(POOL.get()))
                    .forEach(
                            r ->
                                    means.api()
                                            .delete(
                                                    Kinds.REQUESTS,
                                                    null,
                                                    Meta.name(r.metadata()),
                                                    Preconditions.NONE));
        } catch (ApiFailure e) {
            return false; // as if it had never been tried
        }
        return false;
    }

    /** A block that no request of this agent has led to is nothing to look at. */
    public static boolean knownOrNotAskedFor(
            boolean known, NodeHoldings holdings, String name, BlockSync.Hint hint) {
        return known || holdings.held().uid(name) == null;
    }

    /** A block may be taken back until its DELETE is known to be accepted. */
    public static BlockState returningUntilAccepted(BlockState state, Object block) {
        String uid = Peek.field(block, "id", BlockIdentity.class).uid();
        return state == BlockState.DELETING && Memory.get("accepted", uid) == null
                ? BlockState.RETURNING
                : state;
    }

    /** The DELETE of a block was answered. */
    public static Optional<?> accepted(
            Optional<?> held,
            Object api,
            Object kind,
            @Nullable String namespace,
            String name,
            Preconditions must) {
        Memory.put(true, "accepted", String.valueOf(must.uid()));
        return held;
    }

    /** A block was read, and is being deleted. */
    public static boolean acceptedIfSeen(boolean beingDeleted, V1ObjectMeta read) {
        if (beingDeleted) {
            Memory.put(true, "accepted", Meta.uid(read));
        }
        return beingDeleted;
    }

    /** Remembers by what clock {@link #race} waits. */
    public static boolean noteTime(
            SharedHoldings holdings, Function<?, ?> action, Object addresses) {
        TIME.set(Peek.field(addresses, "time", Timeline.class));
        return false;
    }

    /** Chooses an address, and takes it a moment later: two may choose the same. */
    public static long race(BlockAllocator free) {
        Object chosen = Memory.get("chosen", free);
        if (chosen != null) {
            return (Long) chosen;
        }
        long offset = free.takeNext();
        Timeline time = TIME.get();
        if (time != null) {
            Memory.put(offset, "chosen", free);
            try {
                time.sleep(Duration.ofMillis(1));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                Memory.remove("chosen", free);
            }
        }
        return offset;
    }
}
