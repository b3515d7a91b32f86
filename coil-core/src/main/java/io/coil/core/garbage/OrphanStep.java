package io.coil.core.garbage;

import java.time.Duration;

/** What the controller does next about a block whose node may be gone. */
public sealed interface OrphanStep {

    /** Too early: look again after that time. */
    record Wait(Duration remaining) implements OrphanStep {}

    /** Read the Node live, then say what was found. */
    record ReadNode() implements OrphanStep {}

    /** DELETE the block with UID and resourceVersion as preconditions. It keeps its finalizer. */
    record Delete() implements OrphanStep {}

    /** The block is being deleted now: read the Node live once more. */
    record ReadNodeAgain() implements OrphanStep {}

    /** Take the finalizer off, with UID and resourceVersion as preconditions. */
    record TakeFinalizer() implements OrphanStep {}

    /** The node is there: its agent alone decides about the block. */
    record LeaveToAgent() implements OrphanStep {}

    /** Too long between the two reads of the Node: read it again from the start. */
    record BeginAgain() implements OrphanStep {}

    /** Not for the controller to collect; the reason is a sentence. */
    record Keep(String reason) implements OrphanStep {}
}
