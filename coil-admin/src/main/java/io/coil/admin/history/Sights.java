package io.coil.admin.history;

import static io.coil.admin.history.Columns.time;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;

/** The tables {@code sight} and {@code blind_time}: when somebody watched. */
final class Sights {
    private final Database database;

    Sights(Database database) {
        this.database = database;
    }

    /** From the first look to the last, of whoever watched; empty before the first. */
    Optional<Watched> all() {
        return database.ask()
                .sql("select since_time, until_time from sight where id = 1")
                .query((row, n) -> new Watched(time(row, "since_time"), time(row, "until_time")))
                .optional();
    }

    /** Everything until then has been seen, and written. */
    void until(Instant time) {
        OffsetDateTime at = time(time);
        database.batches()
                .update(
                        "insert into sight (id, since_time, until_time) values (1, ?, ?) on conflict do nothing",
                        at,
                        at);
        database.batches()
                .update(
                        "update sight set until_time = greatest(until_time, cast(? as timestamp with time zone)) where id = 1",
                        at);
    }

    void blind(Instant from, Instant to) {
        database.batches()
                .update(
                        "insert into blind_time (from_time, to_time) values (?, ?) on conflict do nothing",
                        time(from),
                        time(to));
    }

    /** When nobody watched, of the time between these two. */
    List<Watched> blind(Instant from, Instant to, int most) {
        return database.ask()
                .sql(
                        "select from_time, to_time from blind_time where to_time > :from"
                                + " and from_time < :to order by from_time desc fetch first :most rows only")
                .param("from", time(from))
                .param("to", time(to))
                .param("most", most)
                .query((row, n) -> new Watched(time(row, "from_time"), time(row, "to_time")))
                .list();
    }

    int prune(OffsetDateTime before) {
        return database.ask()
                .sql("delete from blind_time where to_time < :before")
                .param("before", before)
                .update();
    }
}
