package io.coil.admin.web;

import io.coil.admin.snapshot.PoolView;
import io.coil.admin.snapshot.Spoken;
import io.coil.admin.snapshot.Tone;

import java.util.List;

/** A pool in a table. */
public record PoolRow(
        String name,
        List<String> subnets,
        Tag state,
        String flag,
        Gauge blocks,
        Gauge addresses,
        String left,
        int candidates,
        String collection) {

    static PoolRow of(PoolView pool) {
        boolean grants =
                pool.deleting() == null
                        && !pool.drain()
                        && pool.state() != PoolView.State.UNREADABLE;
        Tone tone = pool.state().tone();
        return new PoolRow(
                pool.name(),
                pool.subnets(),
                Tag.of(pool.state()),
                tone == Tone.BAD
                        ? "flag bad"
                        : tone == Tone.WARN ? "flag" : tone == Tone.GOING ? "flag quiet" : "",
                Gauge.blocks(pool),
                Gauge.of(pool.total().used(), pool.addressesTotal()),
                grants ? Spoken.number(pool.blocksFree()) : "none granted",
                pool.total().candidates(),
                pool.mode().text());
    }
}
