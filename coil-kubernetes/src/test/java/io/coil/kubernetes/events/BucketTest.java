package io.coil.kubernetes.events;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;

class BucketTest {
    @Test
    void manyAtOnceThenOneAMinute() {
        Bucket bucket = new Bucket(0);

        assertThat(taken(bucket, 0)).isEqualTo(10);
        assertThat(taken(bucket, 59)).isZero();
        assertThat(taken(bucket, 61)).isEqualTo(1);
        assertThat(taken(bucket, 240)).isEqualTo(3);
        assertThat(taken(bucket, 100_000)).isEqualTo(10);
    }

    private static int taken(Bucket bucket, long second) {
        int taken = 0;
        while (bucket.take(Duration.ofSeconds(second).toNanos())) {
            taken++;
        }
        return taken;
    }
}
