package io.coil.admin.history;

import static io.coil.admin.history.Columns.cut;
import static io.coil.admin.history.Columns.time;
import static io.coil.admin.history.Columns.timeOrNull;

import io.coil.admin.snapshot.RunView;
import io.coil.kubernetes.resource.RunItem;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The tables {@code past_run} and {@code past_item}: what collections did. */
final class Runs {
    private static final String INSERT =
            """
            insert into past_run (uid, name, created_at, asked_by, reason, scope, dry_run, plan,
             phase, message, found, done, failed, kept, rest, unanswered, started_at, finished_at)
             values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing
            """;
    private static final String INSERT_ITEM =
            """
            insert into past_item (run_uid, number, rule, kind, name, uid, block, pool, node,
             evidence, age_seconds, outcome, message)
             values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing
            """;

    private final Database database;

    Runs(Database database) {
        this.database = database;
    }

    /** In one transaction of the caller's; written once, whoever comes first. */
    void insert(RunView run) {
        int written =
                database.batches()
                        .update(
                                INSERT,
                                run.uid(),
                                run.name(),
                                time(run.created()),
                                cut(run.askedBy(), 253),
                                cut(run.reason(), 1000),
                                cut(scope(run), 1000),
                                run.dryRun(),
                                run.plan(),
                                run.phase().name(),
                                cut(run.message(), 1000),
                                run.found(),
                                run.done(),
                                run.failed(),
                                run.kept(),
                                run.rest(),
                                cut(String.join(", ", run.unanswered()), 1000),
                                time(run.started()),
                                time(run.finished()));
        if (written == 0 || run.items().isEmpty()) {
            return;
        }
        List<@Nullable Object[]> items = new ArrayList<>(run.items().size());
        for (RunItem item : run.items()) {
            items.add(values(run.uid(), items.size(), item));
        }
        database.batches().batchUpdate(INSERT_ITEM, items);
    }

    private static String scope(RunView run) {
        List<String> parts = new ArrayList<>();
        part(parts, "nodes", run.nodes());
        part(parts, "pools", run.pools());
        part(parts, "blocks", run.blocks());
        return parts.isEmpty() ? "everything" : String.join("; ", parts);
    }

    private static void part(List<String> parts, String what, List<String> names) {
        if (!names.isEmpty()) {
            parts.add(what + " " + String.join(", ", names));
        }
    }

    private static @Nullable Object[] values(String run, int number, RunItem item) {
        return new @Nullable Object[] {
            run,
            number,
            cut(item.rule(), 64),
            cut(item.kind(), 32),
            cut(item.name(), 253),
            cut(item.uid(), 128),
            cut(item.block(), 253),
            cut(item.pool(), 253),
            cut(item.node(), 253),
            cut(item.evidence(), 1000),
            item.ageSeconds(),
            cut(item.outcome(), 32),
            cut(item.message(), 1000)
        };
    }

    /** The last one of that name. */
    Optional<PastRun> named(String name) {
        return database.ask()
                .sql(
                        "select * from past_run where name = :name"
                                + " order by created_at desc fetch first 1 rows only")
                .param("name", name)
                .query(Runs::run)
                .optional()
                .map(run -> run.with(items(run.uid())));
    }

    private List<RunItem> items(String run) {
        return database.ask()
                .sql("select * from past_item where run_uid = :run order by number")
                .param("run", run)
                .query(Runs::item)
                .list();
    }

    /** Collections that freed one of these addresses, newest first. */
    List<Freed> freed(List<String> addresses) {
        return database.ask()
                .sql(
                        """
                        select i.name as address, i.uid, i.rule, r.name as run, r.started_at,
                         r.finished_at from past_item i join past_run r on r.uid = i.run_uid
                         where i.name in (:addresses) and i.kind = 'Address' and i.outcome = 'Done'
                         order by r.created_at desc fetch first 50 rows only
                        """)
                .param("addresses", addresses)
                .query(Runs::freed)
                .list();
    }

    int prune(OffsetDateTime before, int most) {
        return database.ask()
                .sql(
                        "delete from past_run where uid in (select uid from past_run"
                                + " where created_at < :before order by created_at"
                                + " fetch first :most rows only)")
                .param("before", before)
                .param("most", most)
                .update();
    }

    private static Freed freed(ResultSet row, int number) throws SQLException {
        return new Freed(
                row.getString("address"),
                row.getString("uid"),
                row.getString("rule"),
                row.getString("run"),
                timeOrNull(row, "started_at"),
                timeOrNull(row, "finished_at"));
    }

    private static PastRun run(ResultSet row, int number) throws SQLException {
        Instant started = timeOrNull(row, "started_at");
        return new PastRun(
                row.getString("uid"),
                row.getString("name"),
                time(row, "created_at"),
                row.getString("asked_by"),
                row.getString("reason"),
                row.getString("scope"),
                row.getBoolean("dry_run"),
                row.getString("plan"),
                row.getString("phase"),
                row.getString("message"),
                row.getLong("found"),
                row.getLong("done"),
                row.getLong("failed"),
                row.getLong("kept"),
                row.getLong("rest"),
                row.getString("unanswered"),
                started,
                timeOrNull(row, "finished_at"),
                List.of());
    }

    private static RunItem item(ResultSet row, int number) throws SQLException {
        return new RunItem(
                row.getString("rule"),
                row.getString("kind"),
                row.getString("name"),
                row.getString("uid"),
                row.getString("block"),
                row.getString("pool"),
                row.getString("node"),
                row.getString("evidence"),
                row.getLong("age_seconds"),
                row.getString("outcome"),
                row.getString("message"));
    }
}
