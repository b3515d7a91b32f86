package io.coil.core.holdings;

import io.coil.core.net.Address;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.OptionalLong;

/**
 * What a starting agent puts back into the record: containers that the kernel shows, and what the
 * node remembers of addresses that were freed. Part of {@link NodeHoldings}, and guarded as it.
 */
public final class Restoring {
    private final HeldBlocks blocks;
    private final AssignmentTable assignments;

    Restoring(HeldBlocks blocks, AssignmentTable assignments) {
        this.blocks = blocks;
        this.assignments = assignments;
    }

    /**
     * A container that the kernel shows. One whose address lies in no held block is remembered
     * without one, so that the address is not given to another when such a block comes.
     *
     * @param pod null if nobody knows it
     * @param sinceNanos when it got its address, as far as is known
     * @return whether it has found its block
     */
    public boolean container(
            ContainerKey key,
            @Nullable PodRef pod,
            String pool,
            List<Address> addresses,
            long sinceNanos) {
        if (addresses.isEmpty() || assignments.get(key) != null) {
            return false;
        }
        Assignment homeless =
                new Assignment(key, pod, pool, Assignment.NO_BLOCK, 0, addresses, sinceNanos, true);
        assignments.put(homeless);
        return blocks.all().stream().anyMatch(block -> settle(homeless, block));
    }

    /** Containers without a block find their place in one that has just come. */
    void settleIn(HeldBlock block) {
        for (Assignment homeless : assignments.ofBlock(Assignment.NO_BLOCK)) {
            settle(homeless, block);
        }
    }

    /**
     * Gives an assignment without a block its place in this one, if its address lies there and
     * nobody else has it.
     */
    private boolean settle(Assignment homeless, HeldBlock block) {
        OptionalLong offset = block.range().offsetOf(homeless.addresses().getFirst());
        if (offset.isEmpty() || !block.takeExact(offset.getAsLong())) {
            return false;
        }
        assignments.put(homeless.in(block.id.pool(), block.id.name(), offset.getAsLong()));
        return true;
    }

    /**
     * That address was freed, and may not be given again before then.
     *
     * @return false if it is in use, or in no block of this pool
     */
    public boolean coolUntil(String pool, Address address, long untilNanos) {
        for (HeldBlock block : blocks.of(pool)) {
            OptionalLong offset = block.range().offsetOf(address);
            if (offset.isPresent()) {
                return block.coolUntil(offset.getAsLong(), untilNanos);
            }
        }
        return false;
    }

    /** That address was given before; of several the one that is told last was given last. */
    public void givenBefore(String pool, Address address) {
        for (HeldBlock block : blocks.of(pool)) {
            block.range().offsetOf(address).ifPresent(block.addresses::goOnBehind);
        }
    }
}
