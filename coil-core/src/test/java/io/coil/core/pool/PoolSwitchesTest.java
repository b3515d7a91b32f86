package io.coil.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;

class PoolSwitchesTest {

    @Test
    void allSwitchesAreRead() {
        PoolSwitches.Parsed parsed =
                PoolSwitches.parse(
                        Map.of(
                                PoolSwitches.SPARE_BLOCKS,
                                "2",
                                PoolSwitches.MAX_BLOCKS_PER_NODE,
                                "10",
                                PoolSwitches.REUSE_DELAY,
                                "1m30s",
                                PoolSwitches.COLLECTION,
                                "manual",
                                PoolSwitches.DRAIN,
                                "true",
                                "example.com/other",
                                "anything"));

        assertThat(parsed.bad()).isEmpty();
        assertThat(parsed.switches().spareBlocks()).hasValue(2);
        assertThat(parsed.switches().maxBlocksPerNode()).hasValue(10);
        assertThat(parsed.switches().reuseDelay()).hasValue(Duration.ofSeconds(90));
        assertThat(parsed.switches().collection()).hasValue(CollectionMode.MANUAL);
        assertThat(parsed.switches().drain()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "ops.coil.io/spare-blocks, -1, a whole number from 0",
        "ops.coil.io/spare-blocks, two, a whole number from 0",
        "ops.coil.io/max-blocks-per-node, 0, a whole number from 1",
        "ops.coil.io/reuse-delay, 30, a duration such as",
        "ops.coil.io/reuse-delay, -5s, a duration such as",
        "ops.coil.io/reuse-delay, 5s5m, a duration such as",
        "ops.coil.io/reuse-delay, '', a duration such as",
        "ops.coil.io/collection, ON, 'on, manual or off'",
        "ops.coil.io/drain, 'yes', true or false"
    })
    void aBadValueIsIgnoredWithASentence(String annotation, String value, String allowed) {
        PoolSwitches.Parsed parsed = PoolSwitches.parse(Map.of(annotation, value));

        assertThat(parsed.switches()).isEqualTo(PoolSwitches.NONE);
        assertThat(parsed.bad())
                .singleElement()
                .satisfies(
                        bad ->
                                assertThat(bad.message())
                                        .contains(annotation, "\"" + value + "\"", allowed));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0s, 0",
        "500ms, 500",
        "30s, 30000",
        "5m, 300000",
        "1h, 3600000",
        "1h30m, 5400000",
        "1m1ms, 60001"
    })
    void durationsAreReadAsKubernetesWritesThem(String text, long millis) {
        assertThat(Durations.parse(text)).hasValue(Duration.ofMillis(millis));
    }

    @Test
    void theStrictestModeWins() {
        assertThat(CollectionMode.strictest()).isEqualTo(CollectionMode.ON);
        assertThat(CollectionMode.strictest(CollectionMode.ON, CollectionMode.MANUAL))
                .isEqualTo(CollectionMode.MANUAL);
        assertThat(
                        CollectionMode.strictest(
                                List.of(
                                        CollectionMode.OFF,
                                        CollectionMode.MANUAL,
                                        CollectionMode.ON)))
                .isEqualTo(CollectionMode.OFF);
    }
}
