package io.coil.admin.history;

import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;

import java.time.Duration;

/**
 * The one task that writes. What it has taken it keeps until it is written; all of it can be
 * written twice without harm. It is ended by a word, not by an interruption, which would tear the
 * embedded database's file out of its hands.
 */
final class Writer {
    private static final Logger LOG = LoggerFactory.getLogger(Writer.class);
    private static final int MOST = 1000;
    private static final int TRIES = 3;
    private static final Duration IDLE = Duration.ofSeconds(5);
    private static final Duration ALL_EVERY = Duration.ofSeconds(10);
    private static final Duration COMPARE_EVERY = Duration.ofMinutes(10);
    private static final Duration AGAIN = Duration.ofSeconds(2);
    private static final Duration LAST_WORDS = Duration.ofSeconds(3);

    private final Timeline timeline;
    private final Database database;
    private final Tables tables;
    private final Pending pending;
    private final Pruning pruning;
    private final Timeline.Signal signal;
    private volatile HistoryState state;
    private volatile boolean ending;
    private volatile Timeline.@Nullable Running task;

    // Of the task alone.
    private Pending.@Nullable Work inHand;
    private boolean migrated;
    private int tries;
    private long compared;
    private long wroteAll;

    Writer(Timeline timeline, Database database, Pending pending, Pruning pruning) {
        this.timeline = timeline;
        this.database = database;
        this.tables = Tables.of(database);
        this.pending = pending;
        this.pruning = pruning;
        this.signal = timeline.signal();
        this.state = new HistoryState.Away(timeline.now(), "it has not answered yet");
    }

    HistoryState state() {
        return state;
    }

    /** There is something to write. */
    void wake() {
        signal.raise();
    }

    void start() {
        task = timeline.start("history-writer", this::run);
    }

    /** Writes what is left, if the database is there, and ends. */
    void stop() throws InterruptedException {
        ending = true;
        signal.raise();
        Timeline.Running running = task;
        if (running != null && !running.awaitEnd(LAST_WORDS)) {
            LOG.atWarn().addKeyValue("left", pending.size()).log("history not written to its end");
        }
    }

    private void run() throws InterruptedException {
        compared = timeline.nanos();
        wroteAll = compared - ALL_EVERY.toNanos();
        while (true) {
            boolean written;
            try {
                written = step();
                answered();
            } catch (RuntimeException e) {
                failed(e);
                if (ending) {
                    return;
                }
                signal.await(timeline.jitter(AGAIN, 0.3));
                continue;
            }
            if (!written) {
                if (ending) {
                    return;
                }
                signal.await(IDLE);
            }
        }
    }

    /** Whether there was something to do. */
    private boolean step() {
        if (!migrated) {
            database.migrate();
            migrated = true;
        } else if (state instanceof HistoryState.Away) {
            database.ask().sql("select 1").query(Integer.class).single();
        }
        if (timeline.nanos() - compared > COMPARE_EVERY.toNanos()) {
            compared = timeline.nanos();
            pending.compareAll();
        }
        boolean all = ending || timeline.nanos() - wroteAll > ALL_EVERY.toNanos();
        Pending.Work work = inHand == null ? pending.take(MOST, all) : inHand;
        inHand = work;
        boolean something =
                work.whole() != null || !work.entries().isEmpty() || !work.changes().isEmpty();
        write(work);
        inHand = null;
        tries = 0;
        wroteAll = work.latest() == null ? wroteAll : timeline.nanos();
        if (!something && !ending) {
            pruning.whenDue();
        }
        return something;
    }

    private void write(Pending.Work work) {
        if (tries >= TRIES) {
            Piecemeal.write(database, tables, work);
        } else if (!work.isEmpty()) {
            database.together(() -> Batch.write(tables, work));
        }
        if (work.whole() != null) {
            new Comparison(database, tables, work.whole(), work.watchedSince()).write();
        }
        var latest = work.latest();
        if (latest != null) {
            database.together(() -> tables.sights().until(latest.asOf()));
        }
    }

    private void answered() {
        if (state instanceof HistoryState.Away away) {
            state = new HistoryState.There();
            LOG.atInfo()
                    .addKeyValue("awaySince", away.since())
                    .addKeyValue("toWrite", pending.size())
                    .log("the database of the history answers");
        }
    }

    private void failed(RuntimeException failure) {
        // A row that the database will never take must not keep all others from it.
        boolean refuses = failure instanceof DataIntegrityViolationException;
        boolean answers = migrated && inHand != null && (refuses || answers());
        tries = refuses ? TRIES : answers ? tries + 1 : 0;
        String why = Why.of(failure);
        if (state instanceof HistoryState.Away away) {
            state = new HistoryState.Away(away.since(), why);
            LOG.atDebug().setCause(failure).log("the database of the history is still away");
        } else if (!refuses) {
            state = new HistoryState.Away(timeline.now(), why);
            LOG.atWarn()
                    .addKeyValue("why", why)
                    .log("the database of the history does not answer; it is written later");
        }
    }

    private boolean answers() {
        try {
            return database.ask().sql("select 1").query(Integer.class).single() == 1;
        } catch (DataAccessException e) {
            return false;
        }
    }
}
