package io.coil.agent.block;

import io.coil.agent.hold.SharedHoldings;
import io.coil.agent.hold.Turns;
import io.coil.agent.kernel.Kernel;
import io.coil.core.holdings.BlockIdentity;
import io.coil.core.net.Cidr;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * The exported routes: exactly those of the blocks that this node holds. What is done about a
 * block's routes is done in that block's turn, so that two do not undo each other.
 */
public final class Routes {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Kernel kernel;
    private final SharedHoldings holdings;
    private final Turns<String> turns;
    // Of blocks that are being adopted: the route is there before the block is. Guarded by this.
    private final Set<Cidr> coming = new HashSet<>();

    public Routes(Kernel kernel, SharedHoldings holdings, Turns<String> turns) {
        this.kernel = kernel;
        this.holdings = holdings;
        this.turns = turns;
    }

    /** Exports a block's routes, and only then takes it into use. In the block's turn. */
    void exportThen(BlockIdentity block, Runnable use) {
        coming(block, true);
        try {
            block.range().ranges().forEach(kernel::export);
            use.run();
        } finally {
            coming(block, false);
        }
    }

    /** Exports them again, if the block still needs them. */
    public void restore(BlockIdentity block) throws InterruptedException {
        try (Turns.Turn turn = turns.take(block.name(), PATIENCE)) {
            if (turn != null
                    && holdings.with(h -> h.held().needsRoute(block.name(), block.uid()))) {
                exportThen(block, () -> {});
            }
        }
    }

    /** In the block's turn. */
    void withdraw(BlockIdentity block) {
        block.range().ranges().forEach(kernel::withdraw);
    }

    /**
     * Withdraws a route that no block accounts for, as a live list has just said.
     *
     * @return false if a block has come for it
     */
    public boolean withdrawStray(Cidr route) {
        if (accountedFor(route)) {
            return false;
        }
        kernel.withdraw(route);
        if (accountedFor(route)) {
            kernel.export(route); // the block came in that very moment
            return false;
        }
        return true;
    }

    private synchronized void coming(BlockIdentity block, boolean begins) {
        if (begins) {
            coming.addAll(block.range().ranges());
        } else {
            coming.removeAll(block.range().ranges());
        }
    }

    private synchronized boolean isComing(Cidr route) {
        return coming.contains(route);
    }

    private boolean accountedFor(Cidr route) {
        return isComing(route)
                || holdings.with(
                        h ->
                                h.held().identities().stream()
                                        .anyMatch(b -> b.range().ranges().contains(route)));
    }
}
