package io.coil.controller.grant;

import io.coil.controller.view.SeenBlock;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.Names;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Brings the ledger in line with a live, consistent list of blocks. */
public final class LiveBlocks {
    private final KubeApi api;
    private final Ledger ledger;

    public LiveBlocks(KubeApi api, Ledger ledger) {
        this.api = api;
        this.ledger = ledger;
    }

    /** All blocks. */
    public void readAll() {
        read(null, Selection.ALL);
    }

    /** Those with the pool's label. */
    void read(String pool) {
        read(pool, Selection.labelled(Names.POOL, pool));
    }

    private void read(@Nullable String pool, Selection selection) {
        Ledger.Listing listing = ledger.listingBegins();
        try {
            List<AddressBlock> found = api.list(Kinds.BLOCKS, selection).items();
            ledger.listed(listing, pool, found.stream().map(SeenBlock::of).toList());
        } catch (RuntimeException e) {
            ledger.listingFailed(listing);
            throw e;
        }
    }
}
