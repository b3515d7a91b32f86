package io.coil.admin.history;

import io.coil.admin.snapshot.SnapshotKeeper;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;

/** Watches and writes for as long as the program runs; does nothing where no history is kept. */
final class Keeping {
    private final Pending pending = new Pending();
    private final @Nullable Database database;
    private final @Nullable Writer writer;
    private final @Nullable Watcher watcher;

    /**
     * @param database null: none is kept
     */
    Keeping(
            @Nullable Database database,
            HistorySettings settings,
            SnapshotKeeper keeper,
            Timeline timeline) {
        this.database = database;
        if (database == null) {
            this.writer = null;
            this.watcher = null;
        } else {
            Pruning pruning = new Pruning(timeline, database, settings.retention());
            Writer writes = new Writer(timeline, database, pending, pruning);
            this.writer = writes;
            this.watcher = new Watcher(timeline, keeper, pending, writes::wake);
        }
    }

    void start() {
        if (writer != null && watcher != null) {
            writer.start();
            watcher.start();
        }
    }

    void stop() throws InterruptedException {
        if (writer != null && watcher != null && database != null) {
            watcher.stop();
            writer.stop();
            database.close();
        }
    }

    HistoryState state() {
        return writer == null ? new HistoryState.Off() : writer.state();
    }

    Pending pending() {
        return pending;
    }

    void wake() {
        if (writer != null) {
            writer.wake();
        }
    }

    @Nullable Tables tables() {
        return database == null ? null : Tables.of(database);
    }
}
