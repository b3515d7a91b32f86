package io.coil.agent.block;

import io.coil.agent.hold.SharedHoldings;
import io.coil.agent.hold.Turns;
import io.coil.core.holdings.BlockIdentity;
import io.coil.core.holdings.PoolTerms;

import java.time.Duration;

/**
 * Keeps blocks that are on their way back and wanted again: possible only while no DELETE was sent.
 */
public final class Keeping {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Routes routes;
    private final SharedHoldings holdings;
    private final Turns<String> turns;

    public Keeping(Routes routes, SharedHoldings holdings, Turns<String> turns) {
        this.routes = routes;
        this.holdings = holdings;
        this.turns = turns;
    }

    /**
     * Lets a block of this pool serve again, if there is one to keep: the quickest answer to a pod
     * that waits.
     *
     * @return false if there is none; true says only that it was worth a try
     */
    public boolean keepOne(String pool, PoolTerms terms) throws InterruptedException {
        BlockIdentity kept = holdings.with(h -> h.returns().keep(pool, terms));
        if (kept == null) {
            return false;
        }
        try (Turns.Turn turn = turns.take(kept.name(), PATIENCE)) {
            // Before our turn somebody may have found that it was deleted: it has no route any
            // more.
            if (turn != null && holdings.with(h -> h.returns().isKept(kept.name(), kept.uid()))) {
                routes.exportThen(
                        kept,
                        () ->
                                holdings.change(
                                        h -> h.returns().serveAgain(kept.name(), kept.uid())));
            }
        } finally {
            holdings.change(h -> h.returns().letGo(kept.name(), kept.uid()));
        }
        return true;
    }
}
