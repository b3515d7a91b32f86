package io.coil.admin.snapshot;

import io.coil.core.pool.CollectionMode;
import io.coil.core.pool.PoolSpec;
import io.coil.core.pool.PoolText;
import io.coil.kubernetes.resource.SwitchedBy;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A pool and its blocks.
 *
 * @param text as it was written, for the rules of admission
 * @param spec null if the pool's texts cannot be read; {@code problem} then says why
 * @param blocksTotal blocks that it can have at most
 * @param states how many blocks are in which state; only states that occur
 * @param deleting when its deletion was asked for; null if it was not
 * @param drain whether it is being emptied, by its annotation
 * @param drainBy who said so; null if that is not known
 * @param mode the strictest collection mode of all and of this pool
 * @param ownMode what the pool's annotation says; null if it says nothing
 * @param collectionBy who set that; null if that is not known
 * @param namespaces those whose pods get addresses from it by annotation
 */
public record PoolView(
        String name,
        String uid,
        int blockSizeBits,
        List<String> subnets,
        PoolText text,
        @Nullable PoolSpec spec,
        @Nullable String problem,
        BigInteger blocksTotal,
        BigInteger addressesTotal,
        List<BlockView> blocks,
        Map<BlockState, Integer> states,
        Share total,
        @Nullable Instant deleting,
        boolean drain,
        @Nullable SwitchedBy drainBy,
        CollectionMode mode,
        @Nullable CollectionMode ownMode,
        @Nullable SwitchedBy collectionBy,
        int spareBlocks,
        List<String> namespaces,
        List<Finding> findings) {

    public BigInteger blocksFree() {
        return blocksTotal.subtract(BigInteger.valueOf(blocks.size())).max(BigInteger.ZERO);
    }

    public BigInteger addressesFree() {
        return addressesTotal.subtract(BigInteger.valueOf(total.used())).max(BigInteger.ZERO);
    }

    public int count(BlockState state) {
        return states.getOrDefault(state, 0);
    }

    /** The state of the pool in a word, and how it is meant. */
    public State state() {
        if (problem != null) {
            return State.UNREADABLE;
        }
        if (deleting != null) {
            return State.DELETING;
        }
        if (drain) {
            return State.DRAINING;
        }
        if (blocksFree().signum() == 0) {
            return State.EXHAUSTED;
        }
        return nearlyExhausted() ? State.NEARLY_EXHAUSTED : State.SERVING;
    }

    private boolean nearlyExhausted() {
        return blocksFree().multiply(BigInteger.TEN).compareTo(blocksTotal) <= 0;
    }

    PoolView with(List<Finding> found) {
        return new PoolView(
                name,
                uid,
                blockSizeBits,
                subnets,
                text,
                spec,
                problem,
                blocksTotal,
                addressesTotal,
                blocks,
                states,
                total,
                deleting,
                drain,
                drainBy,
                mode,
                ownMode,
                collectionBy,
                spareBlocks,
                namespaces,
                found);
    }

    /** What a pool does. */
    public enum State {
        SERVING("serving", Tone.OK),
        NEARLY_EXHAUSTED("nearly exhausted", Tone.WARN),
        EXHAUSTED("exhausted", Tone.BAD),
        DRAINING("draining", Tone.GOING),
        DELETING("being deleted", Tone.GOING),
        UNREADABLE("not usable", Tone.BAD);

        private final String word;
        private final Tone tone;

        State(String word, Tone tone) {
            this.word = word;
            this.tone = tone;
        }

        public String word() {
            return word;
        }

        public Tone tone() {
            return tone;
        }
    }
}
