package io.coil.admin.web;

import io.coil.admin.snapshot.BlockState;
import io.coil.admin.snapshot.PoolView;
import io.coil.admin.snapshot.Share;
import io.coil.admin.snapshot.Spoken;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A number of a whole, and its bar. Widths are attributes of the drawing, never styles. */
public record Gauge(String used, String of, String percent, List<Bar> bars) {

    /** A part of a bar: {@code x} and {@code width} in percent of it. */
    public record Bar(String css, String x, String width) {}

    /** Addresses in use of those there are. */
    static Gauge of(long used, BigInteger whole) {
        double share = share(BigInteger.valueOf(used), whole);
        return new Gauge(
                Spoken.number(used),
                Spoken.number(whole),
                percent(share, used > 0),
                used == 0 ? List.of() : List.of(new Bar("used", "0%", width(share))));
    }

    static Gauge of(Share share) {
        return of(share.used(), share.capacity());
    }

    /** Blocks granted, the bar by what they do. */
    static Gauge blocks(PoolView pool) {
        Map<BlockState, Integer> states = new EnumMap<>(pool.states());
        List<Bar> bars = new ArrayList<>();
        double at = 0;
        for (BlockState state : ORDER) {
            int count = states.getOrDefault(state, 0);
            if (count > 0) {
                double share = share(BigInteger.valueOf(count), pool.blocksTotal());
                String css = state == BlockState.DEAD ? "orphan" : state.css();
                bars.add(new Bar(css, width(at), width(share)));
                at += share;
            }
        }
        int granted = pool.blocks().size();
        double share = share(BigInteger.valueOf(granted), pool.blocksTotal());
        return new Gauge(
                Spoken.number(granted),
                Spoken.number(pool.blocksTotal()),
                percent(share, granted > 0),
                bars);
    }

    private static final List<BlockState> ORDER =
            List.of(
                    BlockState.SERVING,
                    BlockState.EMPTY,
                    BlockState.SPARE,
                    BlockState.UNREPORTED,
                    BlockState.SURPLUS,
                    BlockState.RETURNING,
                    BlockState.DRAINING,
                    BlockState.ORPHAN,
                    BlockState.UNHELD,
                    BlockState.DEAD,
                    BlockState.RESERVED);

    private static double share(BigInteger part, BigInteger whole) {
        if (whole.signum() == 0) {
            return 0;
        }
        return new BigDecimal(part)
                .divide(new BigDecimal(whole), MathContext.DECIMAL64)
                .doubleValue();
    }

    private static String percent(double share, boolean some) {
        long rounded = Math.round(share * 100);
        return some && rounded == 0 ? "<1%" : Math.min(100, rounded) + "%";
    }

    private static String width(double share) {
        return String.format(Locale.ROOT, "%.1f%%", Math.min(1, share) * 100);
    }
}
