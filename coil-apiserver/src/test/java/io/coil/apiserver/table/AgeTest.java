package io.coil.apiserver.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.time.Instant;

class AgeTest {
    @ParameterizedTest
    @CsvSource({
        "PT-5S, <invalid>",
        "PT-1S, 0s",
        "PT0S, 0s",
        "PT119S, 119s",
        "PT120S, 2m",
        "PT150S, 2m30s",
        "PT10M, 10m",
        "PT179M, 179m",
        "PT3H, 3h",
        "PT3H5M, 3h5m",
        "PT8H59M, 8h",
        "PT47H, 47h",
        "P2D, 2d",
        "P2DT3H, 2d3h",
        "P8D, 8d",
        "P729D, 729d",
        "P730D, 2y",
        "P800D, 2y70d",
        "P3000D, 8y"
    })
    void isShort(Duration age, String text) {
        assertThat(Age.of(age)).isEqualTo(text);
    }

    @Test
    void ofWhatIsNoTimeIsUnknown() {
        assertThat(Age.since("", Instant.EPOCH)).isEqualTo("<unknown>");
        assertThat(Age.since("1970-01-01T00:00:00Z", Instant.ofEpochSecond(7))).isEqualTo("7s");
    }
}
