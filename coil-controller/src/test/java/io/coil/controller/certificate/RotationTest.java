package io.coil.controller.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

class RotationTest {
    private static final Instant START = Instant.parse("2026-12-01T10:00:00Z");
    private static final Duration LIFE = Duration.ofDays(90);
    private static final Duration RENEW = Duration.ofDays(30);
    private static final Duration SETTLE = Duration.ofMinutes(1);

    private final CertificatePair current = CertificatePair.make("w", START, LIFE);
    private final CertificatePair next =
            CertificatePair.make("w", START.plus(Duration.ofDays(60)), LIFE);

    @Test
    void anEmptySecretIsFilled() {
        assertThat(decide(SecretContent.EMPTY, 0, null)).isEqualTo(new Rotation.Begin());
    }

    @Test
    void theNextOneIsMadeInTime() {
        SecretContent content = content(current, null);

        assertThat(decide(content, 0, null)).isEqualTo(new Rotation.Keep());
        assertThat(decide(content, 59, null)).isEqualTo(new Rotation.Keep());
        assertThat(decide(content, 60, null)).isEqualTo(new Rotation.Prepare());
    }

    @Test
    void theNextOneIsNotServedBeforeAllHaveTrustedItForLongEnough() {
        SecretContent content = content(current, next);

        assertThat(decide(content, 61, null)).isEqualTo(new Rotation.Keep());
        assertThat(decide(content, 61, Duration.ofSeconds(59))).isEqualTo(new Rotation.Keep());
        assertThat(decide(content, 61, SETTLE)).isEqualTo(new Rotation.Promote());
    }

    @Test
    void whatHasExpiredIsFollowedAtOnce() {
        assertThat(decide(content(current, next), 91, null)).isEqualTo(new Rotation.Promote());
        assertThat(decide(content(current, null), 91, null)).isEqualTo(new Rotation.Begin());
    }

    @Test
    void whatWasServedStaysTrustedUntilItHasExpired() {
        SecretContent promoted = new SecretContent(next, null, List.of(current.certificate()));

        assertThat(promoted.tidy(day(61)).trusted())
                .containsExactly(current.certificate(), next.certificate());
        assertThat(promoted.tidy(day(91)).trusted()).containsExactly(next.certificate());
    }

    @Test
    void whatIsWrittenIsReadAgain() {
        SecretContent content = content(current, next).tidy(START);

        assertThat(SecretContent.read(content.write())).isEqualTo(content);
        assertThat(SecretContent.read(SecretContent.EMPTY.write())).isEqualTo(SecretContent.EMPTY);
        assertThat(SecretContent.read(null)).isEqualTo(SecretContent.EMPTY);
    }

    private static SecretContent content(CertificatePair current, @Nullable CertificatePair next) {
        return new SecretContent(current, next, List.of());
    }

    private static Instant day(int day) {
        return START.plus(Duration.ofDays(day));
    }

    private static Rotation decide(SecretContent content, int day, @Nullable Duration trusted) {
        return Rotation.decide(content, day(day), RENEW, trusted, SETTLE);
    }
}
