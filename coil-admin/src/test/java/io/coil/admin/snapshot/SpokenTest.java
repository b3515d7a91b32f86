package io.coil.admin.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;

class SpokenTest {

    @ParameterizedTest
    @CsvSource({
        "PT-5S, 0 s",
        "PT59.9S, 59 s",
        "PT60S, 1 min",
        "PT90S, 1 min 30 s",
        "PT10M30S, 10 min",
        "PT5H22M, 5 h 22 min",
        "P2DT4H10M, 2 d 4 h"
    })
    void durationsAreTwoUnitsAtMost(Duration duration, String spoken) {
        assertThat(Spoken.duration(duration).replace('\u00a0', ' ')).isEqualTo(spoken);
    }

    @ParameterizedTest
    @CsvSource({"0, block, 0 blocks", "1, address, 1 address", "1733, address, '1,733 addresses'"})
    void countsAgreeWithTheirWord(long number, String word, String spoken) {
        assertThat(Spoken.count(number, word)).isEqualTo(spoken);
    }
}
