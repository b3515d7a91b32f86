package io.coil.admin.history;

import static io.coil.admin.history.Columns.cut;
import static io.coil.admin.history.Columns.time;

import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The table {@code audit}. What somebody did here is also seen to change by the watch: of an object
 * that somebody changed here, what is seen within ten seconds before or after is that change.
 */
final class Audits {
    private static final Duration SAME = Duration.ofSeconds(10);
    private static final String COLUMNS =
            "uid, noted_at, caller, action, kind, name, reason, result, detail, request";
    private static final String INSERT =
            "insert into audit ("
                    + COLUMNS
                    + ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing";
    private static final String KNOWN =
            """
            delete from audit where caller = '' and kind = ? and name = ?
             and noted_at between ? and ?
            """;
    private static final String OBSERVE =
            "insert into audit ("
                    + COLUMNS
                    + """
                    ) select cast(? as varchar), cast(? as timestamp with time zone), '',
                      cast(? as varchar), cast(? as varchar), cast(? as varchar),
                      cast(? as varchar), 'observed', cast(? as varchar), ''
                     where not exists (select 1 from audit where kind = ? and name = ?
                      and caller <> '' and result = 'done' and noted_at between ? and ?)
                     on conflict do nothing
                    """;

    private final Database database;

    Audits(Database database) {
        this.database = database;
    }

    void insert(List<Pending.Entry> entries) {
        List<Object[]> rows = new ArrayList<>();
        List<Object[]> known = new ArrayList<>();
        for (Pending.Entry noted : entries) {
            AuditEntry e = noted.entry();
            String kind = text(e.kind(), 64);
            String name = text(e.name(), 253);
            rows.add(
                    new Object[] {
                        noted.uid(),
                        at(e.at()),
                        text(e.caller(), 253),
                        text(e.action(), 64),
                        kind,
                        name,
                        text(e.reason(), 1000),
                        e.result().label(),
                        text(e.detail(), 2000),
                        text(noted.request(), 64)
                    });
            if (e.result() == AuditEntry.Result.DONE) {
                known.add(new Object[] {kind, name, at(e.at().minus(SAME)), at(e.at().plus(SAME))});
            }
        }
        database.batches().batchUpdate(INSERT, rows);
        if (!known.isEmpty()) {
            database.batches().batchUpdate(KNOWN, known);
        }
    }

    void observe(List<Change.Observed> observed) {
        database.batches()
                .batchUpdate(
                        OBSERVE,
                        observed.stream()
                                .map(
                                        o ->
                                                new Object[] {
                                                    text(o.uid(), 200),
                                                    at(o.at()),
                                                    o.action(),
                                                    o.kind(),
                                                    text(o.name(), 253),
                                                    text(o.reason(), 1000),
                                                    text(o.detail(), 2000),
                                                    o.kind(),
                                                    text(o.name(), 253),
                                                    at(o.at().minus(SAME)),
                                                    at(o.at().plus(SAME))
                                                })
                                .toList());
    }

    private static OffsetDateTime at(Instant time) {
        return Objects.requireNonNull(time(time));
    }

    private static String text(String text, int most) {
        return Objects.requireNonNull(cut(text, most));
    }

    /**
     * Newest first.
     *
     * @param skip how many to leave out
     */
    List<Noted> find(AuditQuery query, int skip, int most) {
        return asked(
                        query,
                        "select * from audit",
                        " order by noted_at desc, id desc offset :skip rows"
                                + " fetch first :most rows only",
                        Map.of("skip", skip, "most", most))
                .query(Audits::read)
                .list();
    }

    /** Newest first, those that stand after {@code last}. */
    List<Noted> after(AuditQuery query, Noted last, int most) {
        return asked(
                        query,
                        "select * from audit",
                        " and (noted_at < :last or noted_at = :last and id < :id)"
                                + " order by noted_at desc, id desc fetch first :most rows only",
                        Map.of("last", at(last.at()), "id", last.id(), "most", most))
                .query(Audits::read)
                .list();
    }

    int count(AuditQuery query) {
        return asked(query, "select count(*) from audit", "", Map.of())
                .query(Integer.class)
                .single();
    }

    List<String> actions() {
        return database.ask()
                .sql("select distinct action from audit order by action")
                .query(String.class)
                .list();
    }

    private StatementSpec asked(
            AuditQuery query, String select, String order, Map<String, Object> more) {
        StringBuilder sql = new StringBuilder(select).append(" where 1 = 1");
        Map<String, Object> values = new HashMap<>(more);
        part(sql, values, "caller", "who", query.who());
        part(sql, values, "name", "thing", query.on());
        if (!query.what().isEmpty()) {
            sql.append(" and action = :what");
            values.put("what", query.what());
        }
        if (query.from() != null) {
            sql.append(" and noted_at >= :from");
            values.put("from", at(query.from()));
        }
        if (query.to() != null) {
            sql.append(" and noted_at < :to");
            values.put("to", at(query.to()));
        }
        return database.ask().sql(sql.append(order).toString()).params(values);
    }

    private static void part(
            StringBuilder sql,
            Map<String, Object> values,
            String column,
            String name,
            String text) {
        if (!text.isEmpty()) {
            sql.append(" and lower(%s) like :%s escape '!'".formatted(column, name));
            String plain = text.toLowerCase(Locale.ROOT).replaceAll("([!%_])", "!$1");
            values.put(name, "%" + plain + "%");
        }
    }

    int prune(OffsetDateTime before, int most) {
        return database.ask()
                .sql(
                        "delete from audit where id in (select id from audit"
                                + " where noted_at < :before order by noted_at"
                                + " fetch first :most rows only)")
                .param("before", before)
                .param("most", most)
                .update();
    }

    private static Noted read(ResultSet row, int number) throws SQLException {
        return new Noted(
                row.getLong("id"),
                time(row, "noted_at"),
                row.getString("caller"),
                row.getString("action"),
                row.getString("kind"),
                row.getString("name"),
                row.getString("reason"),
                row.getString("result"),
                row.getString("detail"),
                row.getString("request"));
    }
}
