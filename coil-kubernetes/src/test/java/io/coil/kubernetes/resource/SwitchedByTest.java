package io.coil.kubernetes.resource;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.Map;

class SwitchedByTest {
    private static final Instant AT = Instant.parse("2026-12-01T12:00:00Z");

    @Test
    void whatIsWrittenIsRead() {
        SwitchedBy by = new SwitchedBy("off", AT, "j.meyer", "a leak; keep it");

        assertThat(
                        SwitchedBy.of(
                                Map.of("ops.coil.io/collection", "off", "by", by.text()),
                                "ops.coil.io/collection",
                                "by"))
                .contains(by);
    }

    @Test
    void whoSetAnotherValueIsNotKnown() {
        String text = new SwitchedBy("off", AT, "j.meyer", "why").text();

        assertThat(SwitchedBy.of(Map.of("mode", "manual", "by", text), "mode", "by")).isEmpty();
        assertThat(SwitchedBy.of(Map.of("by", text), "mode", "by")).isEmpty();
        assertThat(SwitchedBy.of(Map.of("mode", "off"), "mode", "by")).isEmpty();
    }

    @Test
    void whatSomebodyHasMangledIsNotKnown() {
        assertThat(SwitchedBy.parse("off;yesterday;me;why")).isEmpty();
        assertThat(SwitchedBy.parse("off;2026-12-01T12:00:00Z;me")).isEmpty();
    }

    @Test
    void aNameWithASemicolonDoesNotMoveTheReason() {
        SwitchedBy by = new SwitchedBy("off", AT, "a;b", "why");

        assertThat(SwitchedBy.parse(by.text())).contains(new SwitchedBy("off", AT, "a,b", "why"));
    }
}
