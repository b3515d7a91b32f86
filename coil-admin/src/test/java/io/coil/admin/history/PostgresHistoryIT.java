package io.coil.admin.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.coil.core.net.Address;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A real PostgreSQL; and what happens when it goes. */
class PostgresHistoryIT extends HistoryContract {
    private static Postgres server;

    @BeforeAll
    static void given() throws IOException {
        server = Postgres.start();
    }

    @AfterAll
    static void after() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    String empty() {
        return server.empty();
    }

    @Test
    void whatHappensWhileItIsAwayIsWrittenWhenItIsBack() throws IOException {
        try (Kept kept = new Kept(server.empty(), Duration.ofDays(90))) {
            kept.see(at(0), cluster().pod("first", "n1", "10.1.0.0", at(-60)));
            kept.written();

            server.kill();
            // Comes and goes while nobody could write it.
            kept.see(at(10), cluster().pod("short", "n1", "10.1.0.1", at(5)));
            kept.note(Entries.entry(at(11), "ann", "drain", "pool", "default", done()));
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> kept.history.state() instanceof HistoryState.Away);
            kept.see(at(20), cluster().pod("second", "n1", "10.1.0.0", at(15)));
            assertThatThrownBy(() -> kept.holders("10.1.0.0"))
                    .hasMessageContaining("has not answered since");
            server.resume();
            kept.written();

            assertThat(kept.holders("10.1.0.0"))
                    .extracting(Holding::pod)
                    .containsExactly("second", "first");
            Holding brief = kept.holders("10.1.0.1").getFirst();
            assertThat(brief.pod()).isEqualTo("short");
            assertThat(brief.beganAt()).isEqualTo(at(10));
            assertThat(brief.endedAt()).isEqualTo(at(20));
            assertThat(kept.audit("drain", "default")).hasSize(1);
            assertThat(kept.history.blind(at(0), at(60))).isEmpty();
        }
    }

    @Test
    void awayAtTheStartNothingIsLostEither() throws IOException {
        String url = server.empty();
        server.kill();
        try (Kept kept = new Kept(url, Duration.ofDays(90))) {
            kept.see(at(0), cluster().pod("first", "n1", "10.1.0.0", at(-60)));
            kept.see(at(10), cluster().pod("second", "n1", "10.1.0.0", at(5)));
            kept.note(Entries.entry(at(11), "ann", "drain", "pool", "default", done()));
            assertThat(kept.history.state()).isInstanceOf(HistoryState.Away.class);
            server.resume();
            kept.written();

            List<Holding> holders = kept.history.holders(List.of(Address.parse("10.1.0.0")));
            assertThat(holders).extracting(Holding::pod).containsExactly("second", "first");
            assertThat(holders.getLast().endedAt()).isEqualTo(at(10));
            assertThat(kept.audit("drain", "default")).hasSize(1);
        }
    }

    private static AuditEntry.Result done() {
        return AuditEntry.Result.DONE;
    }

    private static Instant at(int seconds) {
        return Entries.AT.plusSeconds(seconds);
    }
}
