package io.coil.core.holdings;

/** What a node does with a block that it holds. */
public enum BlockState {
    /** Addresses are given from it. */
    SERVING,
    /** No new address; goes when empty. It is being deleted, or its pool is not there any more. */
    DRAINING,
    /** Empty, on its way back; no DELETE was sent yet, so it may still be kept. */
    RETURNING,
    /** A DELETE was sent: it goes, whatever happens. */
    DELETING
}
