package io.coil.admin.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

class RecentAuditTest {

    @Test
    void theNewestIsFirstAndTheOldestGoes() {
        RecentAudit audit = new RecentAudit();

        for (int i = 0; i <= RecentAudit.MOST; i++) {
            audit.add(Entries.returned("b-" + i), "");
        }

        List<Noted> all = audit.find(AuditQuery.ALL);
        assertThat(all).hasSize(RecentAudit.MOST);
        assertThat(all.getFirst().name()).isEqualTo("b-" + RecentAudit.MOST);
        assertThat(all.getLast().name()).isEqualTo("b-1");
    }

    @Test
    void oneLooksForPartsOfNamesAndForTimes() {
        RecentAudit audit = new RecentAudit();
        audit.add(Entries.returned("default-7"), "");

        assertThat(audit.find(new AuditQuery("ANN", "return", "ult", null, null))).hasSize(1);
        assertThat(audit.find(new AuditQuery("bob", "", "", null, null))).isEmpty();
        assertThat(audit.find(new AuditQuery("", "drain", "", null, null))).isEmpty();
        assertThat(audit.find(new AuditQuery("", "", "default-8", null, null))).isEmpty();
        assertThat(audit.find(new AuditQuery("", "", "", Entries.AT, null))).hasSize(1);
        assertThat(audit.find(new AuditQuery("", "", "", null, Entries.AT))).isEmpty();
    }
}
