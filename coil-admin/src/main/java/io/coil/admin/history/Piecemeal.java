package io.coil.admin.history;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;

import java.time.Instant;
import java.util.List;

/**
 * Writes one thing at a time, so that one that the database refuses does not take the others with
 * it. Only for what has been refused together.
 */
final class Piecemeal {
    private static final Logger LOG = LoggerFactory.getLogger(Piecemeal.class);

    private Piecemeal() {}

    static void write(Database database, Tables tables, Pending.Work work) {
        for (Pending.Entry entry : work.entries()) {
            one(database, tables, entry.entry(), work(List.of(entry), List.of(), List.of()));
        }
        for (Change change : work.changes()) {
            one(database, tables, change, work(List.of(), List.of(change), List.of()));
        }
        for (PoolUse use : work.uses()) {
            one(database, tables, use, work(List.of(), List.of(), List.of(use)));
        }
    }

    private static Pending.Work work(
            List<Pending.Entry> entries, List<Change> changes, List<PoolUse> uses) {
        return new Pending.Work(null, Instant.EPOCH, entries, changes, uses, null);
    }

    private static void one(Database database, Tables tables, Object what, Pending.Work work) {
        try {
            database.together(() -> Batch.write(tables, work));
        } catch (DataAccessResourceFailureException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.atError()
                    .addKeyValue("what", what)
                    .setCause(e)
                    .log("the database refuses this, and it is not kept");
        }
    }
}
