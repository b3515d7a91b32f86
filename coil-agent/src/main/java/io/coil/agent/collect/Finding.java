package io.coil.agent.collect;

import io.coil.core.holdings.BlockIdentity;
import io.coil.core.holdings.ContainerKey;
import io.coil.core.net.Cidr;
import io.coil.kubernetes.resource.RunItem;

/**
 * What a look at this node found.
 *
 * @param item as it is shown: rule, evidence, age
 * @param ripe whether it may be acted on now; else {@code waitsFor} says what is missing
 */
record Finding(RunItem item, Act act, boolean ripe, String waitsFor) {

    /** What would be done about it. */
    sealed interface Act {
        record ReturnBlock(BlockIdentity block) implements Act {}

        /** {@code sinceNanos} tells this assignment from a later one of the same interface. */
        record FreeAddress(ContainerKey key, long sinceNanos) implements Act {}

        record WithdrawRoute(Cidr route) implements Act {}

        /** Only a human may decide. */
        record Report() implements Act {}
    }

    static Finding ripe(RunItem item, Act act) {
        return new Finding(item, act, true, "");
    }
}
