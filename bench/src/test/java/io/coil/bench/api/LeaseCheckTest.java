package io.coil.bench.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubernetes.client.openapi.models.V1LeaseSpec;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.time.ZoneOffset;

class LeaseCheckTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void aLeaseThatIsRenewedHasAHolder() {
        assertThat(LeaseCheck.holder(lease("c1", NOW.minusSeconds(14)), NOW)).contains("c1");
    }

    @Test
    void aLeaseThatRanOutOrWasGivenBackHasNone() {
        assertThat(LeaseCheck.holder(lease("c1", NOW.minusSeconds(16)), NOW)).isEmpty();
        assertThat(LeaseCheck.holder(lease("", NOW), NOW)).isEmpty();
        assertThat(LeaseCheck.holder(new V1LeaseSpec(), NOW)).isEmpty();
    }

    private static V1LeaseSpec lease(String holder, Instant renewed) {
        return new V1LeaseSpec()
                .holderIdentity(holder)
                .leaseDurationSeconds(15)
                .renewTime(renewed.atOffset(ZoneOffset.UTC));
    }
}
