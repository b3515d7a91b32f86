package io.coil.admin.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Instant;

class RecentAuditTest {

    @Test
    void theNewestIsFirstAndTheOldestGoes() {
        RecentAudit audit = new RecentAudit();

        for (int i = 0; i <= RecentAudit.MOST; i++) {
            audit.record(entry("b-" + i));
        }

        assertThat(audit.newestFirst()).hasSize(RecentAudit.MOST);
        assertThat(audit.newestFirst().getFirst().name()).isEqualTo("b-" + RecentAudit.MOST);
        assertThat(audit.newestFirst().getLast().name()).isEqualTo("b-1");
    }

    private static AuditEntry entry(String name) {
        return new AuditEntry(
                Instant.EPOCH,
                "ann",
                "return",
                "block",
                name,
                "it leaks",
                AuditEntry.Result.DONE,
                "");
    }
}
