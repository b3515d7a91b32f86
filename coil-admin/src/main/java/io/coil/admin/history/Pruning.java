package io.coil.admin.history;

import io.coil.kubernetes.time.Timeline;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.function.IntSupplier;

/** Lets go of what has been over for longer than it is kept; a little at a time. */
final class Pruning {
    private static final Logger LOG = LoggerFactory.getLogger(Pruning.class);
    static final int BATCH = 1000;
    private static final Duration EVERY = Duration.ofMinutes(10);

    private final Timeline timeline;
    private final Tables tables;
    private final Duration retention;

    // Of the writer's task alone.
    private long last;
    private boolean more = true;

    Pruning(Timeline timeline, Database database, Duration retention) {
        this.timeline = timeline;
        this.tables = Tables.of(database);
        this.retention = retention;
    }

    /** One batch of each table, if it is time, or if there was more the last time. */
    void whenDue() {
        if (!more && timeline.nanos() - last < EVERY.toNanos()) {
            return;
        }
        last = timeline.nanos();
        OffsetDateTime before = timeline.now().minus(retention).atOffset(ZoneOffset.UTC);
        more = false;
        int gone = batch(() -> tables.holdings().prune(before, BATCH));
        gone += batch(() -> tables.blocks().prune(before, BATCH));
        gone += batch(() -> tables.runs().prune(before, BATCH / 10));
        gone += batch(() -> tables.audits().prune(before, BATCH));
        gone += batch(() -> tables.uses().prune(day(before)));
        gone += batch(() -> tables.sights().prune(before));
        if (gone > 0) {
            LOG.atInfo().addKeyValue("rows", gone).log("old history let go");
        }
    }

    private static LocalDate day(OffsetDateTime time) {
        return time.toLocalDate();
    }

    private int batch(IntSupplier delete) {
        int gone = delete.getAsInt();
        more |= gone >= BATCH / 10;
        return gone;
    }
}
