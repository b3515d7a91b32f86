package io.coil.core.grant;

/** Why a request fails: the reason of its condition, in the spelling of the API. */
public enum FailReason {
    UNKNOWN_POOL("UnknownPool"),
    POOL_BEING_DELETED("PoolBeingDeleted"),
    POOL_DRAINED("PoolDrained"),
    /** The pool's own fields cannot be understood; its admission was bypassed. */
    POOL_INVALID("PoolInvalid"),
    EXHAUSTED("Exhausted"),
    /** The chosen block is another's, or cannot be made any more: the agent asks anew at once. */
    INDEX_TAKEN("IndexTaken"),
    NODE_LIMIT("NodeLimit"),
    NAME_TOO_LONG("NameTooLong");

    private final String text;

    FailReason(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
