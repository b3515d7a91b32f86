package io.coil.admin.web;

import io.coil.admin.history.PoolUse;
import io.coil.admin.snapshot.PoolView;
import io.coil.admin.snapshot.Spoken;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/**
 * A pool's last days as a drawing of 100 by 40: most blocks granted, by day; a full pool is at the
 * top.
 *
 * @param says the drawing in words
 * @param ahead on to when the pool is exhausted; null: it will not be soon
 * @param left what stands under its left end
 */
public record PoolHistory(
        String says,
        String path,
        @Nullable String ahead,
        String left,
        String right,
        String cap,
        String rate,
        String peak,
        Stamp peakAt) {
    static final int DAYS = 14;
    private static final int RATE_DAYS = 7;
    private static final int FAR = 365;

    /** How much of the drawing the days take, in percent, when what is ahead is drawn too. */
    private static final double PAST = 25;

    /** Null if there is nothing to draw: less than two days are known. */
    static @Nullable PoolHistory of(PoolView pool, List<PoolUse> days, Instant now) {
        if (days.size() < 2 || pool.blocksTotal().signum() == 0) {
            return null;
        }
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        double rate = rate(days);
        double free = pool.blocksFree().doubleValue();
        long left = rate <= 0 ? -1 : (long) Math.ceil(free / rate);
        boolean ahead = left >= 0 && left <= FAR;
        double width = ahead ? PAST : 100;
        PoolUse last = days.getLast();
        PoolUse peak = days.getFirst();
        StringBuilder path = new StringBuilder();
        for (PoolUse day : days) {
            long ago = day.day().until(today, ChronoUnit.DAYS);
            double x = width * (1 - (double) ago / (DAYS - 1));
            path.append(path.isEmpty() ? "M" : " L").append(point(x, height(day, pool)));
            peak = day.blocksPeak() > peak.blocksPeak() ? day : peak;
        }
        String total = Spoken.number(pool.blocksTotal());
        String when = ahead ? "in about %s".formatted(Spoken.count(left, "day")) : "";
        return new PoolHistory(
                "Most blocks granted by day: %s on %s, %s on %s, of %s%s"
                        .formatted(
                                Spoken.number(days.getFirst().blocksPeak()),
                                days.getFirst().day(),
                                Spoken.number(last.blocksPeak()),
                                last.day(),
                                total,
                                ahead ? "; at this rate all " + when : ""),
                path.toString(),
                ahead ? "M%s L100 0".formatted(point(width, height(last, pool))) : null,
                ahead ? DAYS + " days ago, to today" : "13 days ago",
                ahead ? when + ", " + today.plusDays(left) : "today",
                "all %s blocks".formatted(total),
                rate(rate, left, ahead),
                Spoken.count(peak.blocksPeak(), "block"),
                Stamp.of(peak.peakAt(), now));
    }

    private static String rate(double rate, long left, boolean ahead) {
        String now = String.format(Locale.ROOT, "%+.1f blocks a day", rate);
        return ahead ? now + ", exhausted in about " + Spoken.count(left, "day") : now;
    }

    /** Blocks a day, of the last seven days that are known. */
    private static double rate(List<PoolUse> days) {
        PoolUse last = days.getLast();
        PoolUse first = last;
        for (PoolUse day : days.reversed()) {
            if (!day.day().isBefore(last.day().minusDays(RATE_DAYS))) {
                first = day;
            }
        }
        long between =
                Duration.between(first.day().atStartOfDay(), last.day().atStartOfDay()).toDays();
        return between == 0 ? 0 : (double) (last.blocksPeak() - first.blocksPeak()) / between;
    }

    private static double height(PoolUse day, PoolView pool) {
        BigDecimal whole = new BigDecimal(pool.blocksTotal().max(BigInteger.ONE));
        double share =
                new BigDecimal(day.blocksPeak()).divide(whole, MathContext.DECIMAL64).doubleValue();
        return 40 * (1 - Math.min(1, share));
    }

    private static String point(double x, double y) {
        return String.format(Locale.ROOT, "%.2f %.2f", Math.max(0, x), y);
    }
}
