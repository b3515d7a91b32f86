package io.coil.core.holdings;

import org.jspecify.annotations.Nullable;

/**
 * The way back of a node's blocks, as the record has it: begun, wanted again, sent, failed. Part of
 * {@link NodeHoldings}, and guarded as it.
 */
public final class BlockReturns {
    private final HeldBlocks blocks;

    BlockReturns(HeldBlocks blocks) {
        this.blocks = blocks;
    }

    /**
     * Stops giving from an empty block, so that it can be given back. The caller has just found it
     * in {@link NodeHoldings#surplus} under the same hold of the lock, or asks for a block whose
     * deletion is wanted in any case.
     *
     * @return false if it is not empty, or already on its way
     */
    public boolean begin(String name, String uid) {
        HeldBlock block = blocks.held(name, uid);
        if (block == null || !block.empty() || !block.stays()) {
            return false;
        }
        block.state = BlockState.RETURNING;
        return true;
    }

    /**
     * To be called right before a DELETE is sent; false if the block is wanted again, or not held
     * any more.
     */
    public boolean deleteIsSent(String name, String uid) {
        HeldBlock block = blocks.held(name, uid);
        if (block == null || !block.onItsWay()) {
            return false;
        }
        block.state = BlockState.DELETING;
        return true;
    }

    /**
     * It is not to be given back after all, as a live read says: it stays as it is, and gives
     * nothing.
     *
     * @return false if a DELETE was sent
     */
    public boolean abandon(String name, String uid) {
        HeldBlock block = blocks.held(name, uid);
        if (block == null || block.state != BlockState.RETURNING) {
            return false;
        }
        block.keeping = false;
        block.state = BlockState.DRAINING;
        return true;
    }

    /**
     * Somebody else has deleted a block that is on its way: nobody can want it again.
     *
     * @return false if it is not on its way
     */
    public boolean deletedByOthers(String name, String uid) {
        HeldBlock block = blocks.held(name, uid);
        if (block == null || block.stays()) {
            return false;
        }
        block.keeping = false;
        block.ended = true;
        block.beingDeleted = true;
        block.state = BlockState.DELETING;
        return true;
    }

    /**
     * Keeps a block of this pool that is on its way back, if no DELETE was sent and no live read
     * has ended it: what is known of the pool here may be old. It gives nothing until the caller
     * has exported its route and calls {@link #serveAgain}. Returns its identity, or null if there
     * is none to keep.
     */
    public @Nullable BlockIdentity keep(String pool, PoolTerms terms) {
        for (HeldBlock block : blocks.of(pool)) {
            if (block.state == BlockState.RETURNING
                    && !block.keeping
                    && !block.ended
                    && !block.drainAsked
                    && !terms.ending()
                    && block.isOf(terms.uid())) {
                block.keeping = true;
                return block.id;
            }
        }
        return null;
    }

    /** Whether that block is to serve again as soon as its route is there. */
    public boolean isKept(String name, String uid) {
        HeldBlock block = blocks.held(name, uid);
        return block != null && block.keeping;
    }

    /** The route of a block that was kept is there again. */
    public void serveAgain(String name, String uid) {
        HeldBlock block = blocks.held(name, uid);
        if (block != null && block.keeping) {
            block.keeping = false;
            block.state = BlockState.SERVING;
        }
    }

    /**
     * The route of a block that was to be kept could not be exported: it drains, and is given back
     * after all.
     */
    public void letGo(String name, String uid) {
        HeldBlock block = blocks.held(name, uid);
        if (block != null && block.keeping) {
            block.keeping = false;
            block.state = BlockState.DRAINING;
        }
    }

    /** Whether it is on its way back and nobody wants it again. */
    public boolean onItsWay(String name, String uid) {
        HeldBlock block = blocks.held(name, uid);
        return block != null && block.onItsWay();
    }

    /**
     * Whether a block of this pool is on its way back: a request now would be answered before its
     * address is free.
     */
    public boolean any(String pool) {
        return blocks.of(pool).stream().anyMatch(HeldBlock::onItsWay);
    }

    /** An attempt to give it back has failed: worth reporting. */
    public void failed(String name, String uid) {
        HeldBlock block = blocks.held(name, uid);
        if (block != null) {
            block.returnFailed = true;
        }
    }
}
