package io.coil.admin.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.admin.history.PoolUse;
import io.coil.admin.snapshot.PoolView;
import io.coil.admin.snapshot.Sight;

import org.junit.jupiter.api.Test;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;

class PoolHistoryTest {
    private static final LocalDate TODAY = LocalDate.ofInstant(Sight.NOW, ZoneOffset.UTC);
    private static final PoolView POOL =
            new Sight()
                    .pool("default", 1, "10.0.0.0/24")
                    .block("default", 0, "n1", "10.0.0.0/31")
                    .snapshot()
                    .pool("default")
                    .orElseThrow();

    private static PoolUse day(int ago, int blocks) {
        LocalDate day = TODAY.minusDays(ago);
        return new PoolUse(
                "u",
                day,
                "default",
                blocks,
                blocks,
                day.atStartOfDay(ZoneOffset.UTC).toInstant(),
                "128",
                0,
                0);
    }

    @Test
    void oneDayIsNoHistory() {
        assertThat(PoolHistory.of(POOL, List.of(day(0, 5)), Sight.NOW)).isNull();
    }

    @Test
    void aPoolThatGrowsIsDrawnOnToItsEnd() {
        PoolHistory use =
                Objects.requireNonNull(
                        PoolHistory.of(POOL, List.of(day(7, 50), day(0, 64)), Sight.NOW));

        assertThat(use.rate()).isEqualTo("+2.0 blocks a day, exhausted in about 64 days");
        assertThat(use.path()).endsWith("L25.00 20.00");
        assertThat(use.ahead()).isEqualTo("M25.00 20.00 L100 0");
        assertThat(use.peak()).isEqualTo("64 blocks");
    }

    @Test
    void oneThatShrinksHasNoEnd() {
        PoolHistory use =
                Objects.requireNonNull(
                        PoolHistory.of(POOL, List.of(day(13, 64), day(0, 32)), Sight.NOW));

        assertThat(use.ahead()).isNull();
        assertThat(use.path()).isEqualTo("M0.00 20.00 L100.00 30.00");
        assertThat(use.right()).isEqualTo("today");
    }
}
