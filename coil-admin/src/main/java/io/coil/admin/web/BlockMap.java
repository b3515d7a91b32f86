package io.coil.admin.web;

import io.coil.admin.snapshot.BlockState;
import io.coil.admin.snapshot.BlockView;
import io.coil.admin.snapshot.PoolView;
import io.coil.admin.snapshot.Spoken;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A pool drawn index by index, eight in a figure; none for pools that are too large for that. */
public final class BlockMap {
    private static final int MOST = 1024;
    private static final int ROW = 8;

    private BlockMap() {}

    /** Eight indices; {@code caption} is the first one's range. */
    public record Figure(String caption, List<Cell> cells) {}

    /** An index; {@code href} null: no block has it. */
    public record Cell(int index, String css, @Nullable String href, String text) {}

    /** What a look means, and how many look so. */
    public record Key(String css, String word, int count) {}

    static List<Figure> of(PoolView pool) {
        if (pool.spec() == null || pool.spec().usableBlocks() > MOST) {
            return List.of();
        }
        Map<Integer, BlockView> byIndex = new HashMap<>();
        pool.blocks().forEach(block -> byIndex.put(block.index(), block));
        List<Figure> figures = new ArrayList<>();
        int end = (int) pool.spec().usableBlocks();
        for (int from = 0; from < end; from += ROW) {
            List<Cell> cells = new ArrayList<>(ROW);
            for (int i = from; i < Math.min(end, from + ROW); i++) {
                cells.add(cell(i, byIndex.get(i)));
            }
            figures.add(new Figure("from " + pool.spec().blockAt(from), cells));
        }
        return figures;
    }

    private static Cell cell(int index, @Nullable BlockView block) {
        if (block == null) {
            return new Cell(index, "", null, "free");
        }
        String used = Spoken.number(block.used()) + " of " + Spoken.number(block.capacity());
        return new Cell(
                index,
                css(block),
                "/blocks/" + block.name(),
                "%s, %s, %s, %s"
                        .formatted(
                                block.name(),
                                block.node() == null ? "no node" : block.node(),
                                block.state().word(),
                                used));
    }

    /** The share in use in tenths; more than none is at least one, less than all at most nine. */
    private static String css(BlockView block) {
        String css = block.state().css();
        if (!css.equals("used") && !css.equals("dead")) {
            return css;
        }
        double share = block.used() / Math.max(1, block.capacity().doubleValue());
        long tenths = Math.round(share * 10);
        return share >= 1 ? css : css + " f" + Math.max(1, Math.min(9, tenths));
    }

    static List<Key> legend(PoolView pool) {
        List<Key> keys = new ArrayList<>();
        keys.add(
                new Key(
                        "free",
                        "free",
                        pool.blocksFree().bitLength() < 31
                                ? pool.blocksFree().intValue()
                                : Integer.MAX_VALUE));
        Arrays.stream(BlockState.values())
                .filter(state -> pool.count(state) > 0)
                .forEach(
                        state ->
                                keys.add(
                                        new Key(
                                                state.css(),
                                                state == BlockState.SERVING
                                                        ? "in use, filled by share of addresses"
                                                        : state.word(),
                                                pool.count(state))));
        return keys;
    }
}
