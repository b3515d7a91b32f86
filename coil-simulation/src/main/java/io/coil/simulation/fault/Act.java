package io.coil.simulation.fault;

import java.util.Locale;

/** What the world can do; "number" is that of the deed. */
public enum Act {
    /** A machine joins with its Node, its kubelet and its agent. */
    NODE,
    /** A controller begins. */
    CONTROLLER,
    /**
     * A pool is made, blocks of 2^number addresses; with 8 more, also with a delay before an
     * address is given again, with 16 more whoever makes it puts our finalizer on.
     */
    POOL,
    /** A pod is made on node number. */
    POD,
    /** A pod is deleted. */
    DELETE_POD,
    /** A pool is deleted; number: 0 background, 1 foreground, 2 orphan. */
    DELETE_POOL,
    /** A process is killed, and begins again after number milliseconds. */
    KILL,
    /** A process is asked to end, and begins again after number milliseconds. */
    RESTART,
    /** A second process of an agent begins while the first lives. */
    SECOND_PROCESS,
    /** A process stands still for number milliseconds. */
    FREEZE,
    /** No call of a process is answered, and no watch shows anything, for number milliseconds. */
    PARTITION,
    /** The watches of a process show nothing for number milliseconds. */
    LAG,
    /** The watches of a process end; number 1: their versions are no longer kept. */
    END_WATCHES,
    /** The wall clock of a process jumps by number milliseconds. */
    CLOCK,
    /** A machine restarts, and is back after number milliseconds. */
    REBOOT,
    /** Its Node is deleted by mistake and made anew after number milliseconds. */
    LOSE_NODE,
    /** A machine dies, its Node goes; a new machine comes after number milliseconds, if any. */
    MACHINE_DIES,
    /**
     * A machine dies and its Node stays; after number milliseconds somebody marks it out of service
     * and deletes its blocks, and as long after that it comes back.
     */
    FORCE,
    /** The next number calls of a kernel fail. */
    KERNEL,
    /**
     * The journal of a machine; number: 0 somebody deletes it, 1 an older copy of it is put back, 2
     * nothing can be written into it until the machine restarts.
     */
    JOURNAL,
    /** A container dies. */
    CONTAINER_DIES,
    /** A container and its network are gone, and nobody says DEL. */
    CONTAINER_FORGOTTEN,
    /** Somebody deletes a block, the number-th of those there are. */
    DELETE_BLOCK,
    /** Somebody deletes a request, the number-th of those there are. */
    DELETE_REQUEST,
    /** Somebody changes labels or annotations of a block, the number-th. */
    TOUCH_BLOCK,
    /** Another granter makes a block for node number. */
    FOREIGN_BLOCK,
    /** A collection is asked for; number: 0 dry run, 1 the last plan, 2 at once. */
    COLLECT,
    /**
     * No controller answers the server's reviews for number milliseconds: pools are made without
     * our finalizer, whatever they are.
     */
    WEBHOOK_AWAY,
    /** Kubernetes' own collector sleeps for number milliseconds. */
    NO_COLLECTOR,
    /** The server forgets the history of what it stores. */
    FORGET_HISTORY;

    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
