package io.coil.admin.web;

import io.coil.admin.snapshot.BlockView;
import io.coil.admin.snapshot.Snapshot;
import io.coil.admin.snapshot.Spoken;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/**
 * A block in a table.
 *
 * @param cells one for each address, if there are at most 256 and somebody says which are in use
 */
public record BlockRow(
        String name,
        List<String> ranges,
        @Nullable String node,
        String flag,
        Tag state,
        String mode,
        List<Cells.Cell> cells,
        String inUse,
        @Nullable Stamp emptySince,
        @Nullable Stamp granted) {

    static BlockRow of(BlockView block, Snapshot image, Instant now) {
        return new BlockRow(
                block.name(),
                block.ranges(),
                block.node(),
                block.state().tone().css().equals("bad")
                        ? "flag bad"
                        : block.state().candidate() ? "flag" : "",
                Tag.of(block.state()),
                block.mode().text(),
                Cells.of(block, image),
                Spoken.number(block.used())
                        + " of "
                        + Spoken.number(block.capacity())
                        + " in use"
                        + (block.usedFrom() == BlockView.UsedFrom.PODS
                                ? ", by what pods show"
                                : ""),
                Stamp.orNull(block.emptySince(), now),
                Stamp.orNull(block.granted(), now));
    }
}
