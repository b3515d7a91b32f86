package io.coil.bench.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.bench.api.CountingApi.Call;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

class FigureTest {
    @Test
    void writesForPoolStatusAndLeaseAreNoWritesOfGrants() {
        Figure figure =
                figure(
                        10,
                        Map.of(
                                new Call("create", "addressblocks"), 20L,
                                new Call("update", "blockrequests/status"), 40L,
                                new Call("get", "blockrequests"), 100L,
                                new Call("update", "addresspools/status"), 7L,
                                new Call("update", "leases"), 7L));

        assertThat(figure.controllerWrites()).isEqualTo(3.0);
        assertThat(figure.writes()).isEqualTo(5.0);
    }

    @Test
    void theMedianIsTheMiddleOneByRate() {
        List<Figure> figures =
                List.of(figure(30, Map.of()), figure(10, Map.of()), figure(20, Map.of()));

        assertThat(Figure.median(figures).perSecond()).isEqualTo(20);
    }

    @Test
    void percentilesAreOfWhatWasMeasured() {
        long[] sorted = {1_000_000, 2_000_000, 3_000_000, 4_000_000};

        assertThat(Round.millisAt(sorted, 0.5)).isEqualTo(2);
        assertThat(Round.millisAt(sorted, 0.99)).isEqualTo(4);
    }

    private static Figure figure(double perSecond, Map<Call, Long> calls) {
        return new Figure(20, perSecond, 0, 2, calls, 0, 0);
    }
}
