package io.coil.admin.history;

import static io.coil.admin.history.Columns.cut;
import static io.coil.admin.history.Columns.time;
import static io.coil.admin.history.Columns.timeOrNull;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;

/** The table {@code holding}: who had which address. */
final class Holdings {
    private static final String COLUMNS =
            "address, pod_namespace, pod_name, pod_uid, node, block, began_after, began_at";
    private static final String READ =
            "select " + COLUMNS + ", ended_after, ended_at from holding ";

    /** For what is known not to be there; somebody else may have written it a moment ago. */
    private static final String INSERT =
            "insert into holding ("
                    + COLUMNS
                    + ") values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing";

    /**
     * Not if another program that watches the same cluster has seen the same, and perhaps its end
     * already.
     */
    private static final String BEGIN =
            "insert into holding ("
                    + COLUMNS
                    + """
                    ) select cast(? as varchar), cast(? as varchar), cast(? as varchar),
                      cast(? as varchar), cast(? as varchar), cast(? as varchar),
                      cast(? as timestamp with time zone), cast(? as timestamp with time zone)
                     where not exists (select 1 from holding where address = ? and pod_uid = ?
                      and (ended_at is null or ended_at >= ?)) on conflict do nothing
                    """;

    /** Never one that began after the look in which it was missed. */
    private static final String END =
            """
            update holding set ended_after = greatest(began_at, cast(? as timestamp with time zone)),
             ended_at = greatest(began_at, cast(? as timestamp with time zone)), term = id
             where address = ? and pod_uid = ? and ended_at is null and began_at <= ?
            """;

    /** Of one whose begin was never written. Such a row has no id yet when its term is needed. */
    private static final String INSERT_ENDED =
            "insert into holding ("
                    + COLUMNS
                    + """
                    , ended_after, ended_at, term)
                     select cast(? as varchar), cast(? as varchar), cast(? as varchar),
                      cast(? as varchar), cast(? as varchar), cast(? as varchar),
                      cast(? as timestamp with time zone), cast(? as timestamp with time zone),
                      cast(? as timestamp with time zone), cast(? as timestamp with time zone),
                      cast(? as bigint)
                     where not exists (select 1 from holding where address = ? and pod_uid = ?
                      and (ended_at is null or ended_at >= ?)) on conflict do nothing
                    """;

    private final Database database;

    Holdings(Database database) {
        this.database = database;
    }

    void insert(Collection<Holding> holdings) {
        database.batches().batchUpdate(INSERT, holdings.stream().map(Holdings::values).toList());
    }

    void begin(List<Change.Began> begun) {
        database.batches().batchUpdate(BEGIN, begun.stream().map(Holdings::begin).toList());
    }

    private static @Nullable Object[] values(Holding h) {
        return new @Nullable Object[] {
            h.address(),
            h.namespace(),
            h.pod(),
            h.podUid(),
            h.node(),
            cut(h.block(), 253),
            time(h.beganAfter()),
            time(h.beganAt())
        };
    }

    private static @Nullable Object[] begin(Change.Began begun) {
        Holding h = begun.holding();
        return with(values(h), h.address(), h.podUid(), time(h.beganAt()));
    }

    /** Those that were followed from look to look. */
    void end(List<Change.Ended> ended) {
        close(ended.stream().map(e -> end(e.holding())).toList());
        database.batches()
                .batchUpdate(
                        INSERT_ENDED, ended.stream().map(e -> insertEnded(e.holding())).toList());
    }

    private static @Nullable Object[] end(Holding h) {
        OffsetDateTime at = time(h.endedAt());
        return new @Nullable Object[] {time(h.endedAfter()), at, h.address(), h.podUid(), at};
    }

    private static @Nullable Object[] insertEnded(Holding h) {
        OffsetDateTime at = time(h.endedAt());
        return with(
                values(h),
                time(h.endedAfter()),
                at,
                at == null ? 0 : -at.toInstant().toEpochMilli(),
                h.address(),
                h.podUid(),
                time(h.beganAt()));
    }

    private static @Nullable Object[] with(@Nullable Object[] values, @Nullable Object... more) {
        @Nullable Object[] all = Arrays.copyOf(values, values.length + more.length);
        System.arraycopy(more, 0, all, values.length, more.length);
        return all;
    }

    /** An open one that is not there. */
    record Missed(String address, String podUid) {}

    /**
     * Those that are open in the database, and are not there.
     *
     * @param after last known to be there
     * @param begunBy as old as the look is in which they were missed
     */
    void close(List<Missed> missed, Instant after, Instant at, Instant begunBy) {
        close(
                missed.stream()
                        .map(
                                m ->
                                        new @Nullable Object[] {
                                            time(after),
                                            time(at),
                                            m.address(),
                                            m.podUid(),
                                            time(begunBy)
                                        })
                        .toList());
    }

    private void close(List<@Nullable Object[]> rows) {
        database.batches().batchUpdate(END, rows);
    }

    /** Address and UID of the pod of each that is open. */
    void eachOpen(BiConsumer<String, String> open) {
        database.each(
                "select address, pod_uid from holding where ended_at is null",
                row -> open.accept(row.getString(1), row.getString(2)));
    }

    /** Those who had one of these addresses, newest first. */
    List<Holding> of(List<String> addresses, int most) {
        return database.ask()
                .sql(
                        READ
                                + "where address in (:addresses) order by began_at desc, id desc fetch first :most rows only")
                .param("addresses", addresses)
                .param("most", most)
                .query(Holdings::read)
                .list();
    }

    /** Those who had, or may have had, one of these addresses at that time. */
    List<Holding> at(List<String> addresses, Instant time) {
        return database.ask()
                .sql(
                        READ
                                + """
                                where address in (:addresses)
                                 and (began_at <= :time or began_after < :time)
                                 and (ended_at is null or ended_at > :time)
                                 order by began_at desc, id desc fetch first 50 rows only
                                """)
                .param("addresses", addresses)
                .param("time", time(time))
                .query(Holdings::read)
                .list();
    }

    /** Which addresses pods of that name had, newest first; a namespace of null means any. */
    List<Holding> ofPod(@Nullable String namespace, String pod, int most) {
        return database.ask()
                .sql(
                        READ
                                + "where pod_name = :pod"
                                + (namespace == null ? "" : " and pod_namespace = :namespace")
                                + " order by began_at desc, id desc fetch first :most rows only")
                .param("pod", pod)
                .param("namespace", namespace)
                .param("most", most)
                .query(Holdings::read)
                .list();
    }

    int prune(OffsetDateTime before, int most) {
        return database.ask()
                .sql(
                        "delete from holding where id in (select id from holding"
                                + " where ended_at < :before order by ended_at"
                                + " fetch first :most rows only)")
                .param("before", before)
                .param("most", most)
                .update();
    }

    private static Holding read(ResultSet row, int number) throws SQLException {
        return new Holding(
                row.getString("address"),
                row.getString("pod_namespace"),
                row.getString("pod_name"),
                row.getString("pod_uid"),
                row.getString("node"),
                row.getString("block"),
                timeOrNull(row, "began_after"),
                time(row, "began_at"),
                timeOrNull(row, "ended_after"),
                timeOrNull(row, "ended_at"));
    }
}
