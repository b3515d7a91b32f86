package io.coil.kubernetes.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.kubernetes.time.NumberedTime;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Random;

class RetryTest {
    private static final Retry RETRY =
            new Retry(Duration.ofMillis(100), Duration.ofSeconds(1), 6, Duration.ofSeconds(20));

    private final NumberedTime time = new NumberedTime();
    private int calls;

    @Test
    void whatMayPassIsTriedAgain() throws Exception {
        String got = RETRY.call(time, () -> answer(transientFailure(0), transientFailure(0)));

        assertThat(got).isEqualTo("done");
        assertThat(calls).isEqualTo(3);
        assertThat(time.slept)
                .hasSize(2)
                .allSatisfy(t -> assertThat(t).isLessThan(Duration.ofMillis(200)));
    }

    @Test
    void whatTheServerAsksForIsWaited() throws Exception {
        RETRY.call(time, () -> answer(transientFailure(5)));

        assertThat(time.slept.getFirst()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(6));
    }

    @Test
    void notForEver() {
        assertThatThrownBy(() -> RETRY.run(time, () -> fail(transientFailure(0))))
                .isInstanceOf(ApiFailure.Transient.class);

        assertThat(calls).isEqualTo(6);
    }

    @Test
    void notBeyondTheDeadline() {
        assertThatThrownBy(() -> RETRY.run(time, () -> fail(transientFailure(15))))
                .isInstanceOf(ApiFailure.Transient.class);

        assertThat(calls).isEqualTo(2);
        assertThat(time.nanos()).isLessThan(Duration.ofSeconds(20).toNanos());
    }

    @Test
    void whatMustBeLookedAtFirstIsNot() {
        assertThatThrownBy(
                        () ->
                                RETRY.run(
                                        time,
                                        () -> fail(new ApiFailure.Stale(409, "Conflict", "x"))))
                .isInstanceOf(ApiFailure.Stale.class);

        assertThat(calls).isEqualTo(1);
    }

    @Test
    void waitsGrowToTheirCeilingAndNoFurther() {
        Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(2));
        Random random = new Random(3);
        Duration longest = Duration.ZERO;
        for (int i = 0; i < 100; i++) {
            Duration wait = backoff.next(random);
            assertThat(wait).isLessThanOrEqualTo(Duration.ofSeconds(2));
            longest = wait.compareTo(longest) > 0 ? wait : longest;
        }
        assertThat(longest).isGreaterThan(Duration.ofSeconds(1));

        backoff.reset();

        assertThat(backoff.next(random)).isLessThan(Duration.ofMillis(100));
    }

    private static ApiFailure transientFailure(int retryAfter) {
        return new ApiFailure.Transient(
                503, "ServiceUnavailable", "x", Duration.ofSeconds(retryAfter), null);
    }

    private final Queue<ApiFailure> failures = new ArrayDeque<>();

    private String answer(ApiFailure... first) {
        if (calls++ == 0) {
            failures.addAll(List.of(first));
        }
        ApiFailure failure = failures.poll();
        if (failure != null) {
            throw failure;
        }
        return "done";
    }

    private void fail(ApiFailure failure) {
        calls++;
        throw failure;
    }
}
