package io.coil.admin.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.Sight;
import io.coil.core.net.Address;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** One program that keeps history: what it sees is what a test shows it. */
final class Kept implements AutoCloseable {
    final SetTime time;
    final Pending pending = new Pending();
    final Database database;
    final Writer writer;
    final History history;

    Kept(String url, Duration retention) {
        this(url, retention, Entries.AT);
    }

    Kept(String url, Duration retention, Instant now) {
        time = new SetTime(now);
        database = new Database(url, new HistorySettings(url, null, null, retention));
        writer = new Writer(time, database, pending, new Pruning(time, database, retention));
        history =
                new History(Tables.of(database), writer::state, new RecentAudit(), time, retention);
        writer.start();
    }

    /** The cluster is seen like this at that time, heard of a moment before. */
    void see(Instant at, Sight sight) {
        time.now = at;
        Current look =
                new Current(sight.snapshot(at), at.minusMillis(200), Duration.ofMillis(200), true);
        Watcher.look(look, pending, writer::wake);
    }

    void note(AuditEntry entry) {
        assertThat(pending.add(new Pending.Entry(UUID.randomUUID().toString(), entry, "abc")))
                .isTrue();
        writer.wake();
    }

    /** Until all that was seen and noted is in the database. */
    void written() {
        Pending.Entry last =
                new Pending.Entry(
                        UUID.randomUUID().toString(),
                        Entries.entry(
                                time.now,
                                "test",
                                "last",
                                "marker",
                                UUID.randomUUID().toString(),
                                AuditEntry.Result.REFUSED),
                        "");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> writer.state() instanceof HistoryState.There && pending.size() == 0);
        assertThat(pending.add(last)).isTrue();
        writer.wake();
        String name = last.entry().name();
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(() -> history.auditCount(new AuditQuery("", "last", name, null, null)) == 1);
    }

    List<String> podsAt(String address, String time) {
        return history.holdersAt(List.of(Address.parse(address)), Instant.parse(time)).stream()
                .map(Holding::pod)
                .toList();
    }

    List<Holding> holders(String address) {
        return history.holders(List.of(Address.parse(address)));
    }

    List<Noted> audit(String what, String on) {
        return history.audit(new AuditQuery("", what, on, null, null), 0, 100);
    }

    int rows(String table) {
        return database.ask().sql("select count(*) from " + table).query(Integer.class).single();
    }

    @Override
    public void close() {
        try {
            writer.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        database.close();
    }
}
