package io.coil.kubernetes.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.kubernetes.time.NumberedTime;

import org.junit.jupiter.api.Test;

import java.time.Duration;

class TermTest {
    private final NumberedTime time = new NumberedTime();
    private final Term term = new Term(time, 1, Duration.ofSeconds(10), 0);

    private void passes(int seconds) {
        time.sleep(Duration.ofSeconds(seconds));
    }

    @Test
    void aTermGoesOnWhileItIsRenewedInTime() {
        passes(9);
        assertThat(term.renewed(time.nanos())).isTrue();
        passes(9);

        assertThat(term.held()).isTrue();
    }

    @Test
    void aTermThatWasFoundOverStaysOver() {
        passes(10);
        assertThat(term.held()).isFalse();

        assertThat(term.renewed(time.nanos())).as("too late").isFalse();
        assertThat(term.held()).isFalse();
    }

    @Test
    void aRenewalThatIsHeardOfTooLateIsNoneThoughNobodyAsked() {
        passes(11);

        assertThat(term.renewed(Duration.ofSeconds(9).toNanos())).isFalse();
        assertThat(term.held()).isFalse();
    }
}
