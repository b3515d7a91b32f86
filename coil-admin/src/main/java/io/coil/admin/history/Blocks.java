package io.coil.admin.history;

import static io.coil.admin.history.Columns.cut;
import static io.coil.admin.history.Columns.time;
import static io.coil.admin.history.Columns.timeOrNull;

import io.coil.admin.snapshot.BlockView;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.function.Consumer;

/** The table {@code block_term}: which node held which block. */
final class Blocks {
    private static final String INSERT =
            """
            insert into block_term (uid, name, pool, node, request, ranges, granted_at, seen_at)
             values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing
            """;

    /** It was taken for gone, and is there: by a look that was older than it seemed. */
    private static final String THERE =
            "update block_term set last_state = null, gone_after = null, gone_at = null"
                    + " where uid = ? and gone_at is not null";

    private static final String GONE =
            """
            update block_term set last_state = ?, gone_at = ?,
             gone_after = greatest(seen_at, cast(? as timestamp with time zone))
             where uid = ? and gone_at is null
            """;

    /** With the collection that returned it, if one did. */
    private static final String READ =
            """
            select b.*, i.rule, r.name as run from block_term b
             left join past_item i on i.uid = b.uid and i.kind = 'Block' and i.outcome = 'Done'
              and i.name = b.name
             left join past_run r on r.uid = i.run_uid
            """;

    private final Database database;

    Blocks(Database database) {
        this.database = database;
    }

    void insert(List<Change.Granted> granted) {
        database.batches()
                .batchUpdate(INSERT, granted.stream().map(g -> values(g.block(), g.at())).toList());
    }

    private static @Nullable Object[] values(BlockView block, Instant at) {
        return new @Nullable Object[] {
            block.uid(),
            block.name(),
            cut(block.pool(), 253),
            block.node(),
            cut(block.request(), 64),
            cut(String.join(", ", block.ranges()), 200),
            time(block.granted()),
            time(at)
        };
    }

    void there(List<String> uids) {
        database.batches()
                .batchUpdate(THERE, uids.stream().map(uid -> new Object[] {uid}).toList());
    }

    /** {@code state} is what it was doing when it was last seen; null: not known. */
    record End(String uid, @Nullable String state, Instant after, Instant at) {}

    void gone(List<End> ends) {
        database.batches()
                .batchUpdate(
                        GONE,
                        ends.stream()
                                .map(
                                        e ->
                                                new @Nullable Object[] {
                                                    e.state(),
                                                    time(e.at()),
                                                    time(e.after()),
                                                    e.uid()
                                                })
                                .toList());
    }

    /** UIDs of those that are there as far as is known. */
    void eachThere(Consumer<String> uid) {
        database.each(
                "select uid from block_term where gone_at is null",
                row -> uid.accept(row.getString(1)));
    }

    /** The terms of a block's name, newest first. */
    List<BlockTerm> named(String name, int most) {
        return read("where b.name = :key", name, most);
    }

    /** The blocks that a node holds and held, newest first. */
    List<BlockTerm> of(String node, int most) {
        return read("where b.node = :key", node, most);
    }

    private List<BlockTerm> read(String where, String key, int most) {
        StatementSpec asked =
                database.ask()
                        .sql(
                                READ
                                        + where
                                        + " order by coalesce(b.granted_at, b.seen_at) desc, b.uid"
                                        + " fetch first :most rows only");
        return asked.param("key", key).param("most", most).query(Blocks::read).list();
    }

    int prune(OffsetDateTime before, int most) {
        return database.ask()
                .sql(
                        "delete from block_term where uid in (select uid from block_term"
                                + " where gone_at < :before order by gone_at"
                                + " fetch first :most rows only)")
                .param("before", before)
                .param("most", most)
                .update();
    }

    private static BlockTerm read(ResultSet row, int number) throws SQLException {
        return new BlockTerm(
                row.getString("uid"),
                row.getString("name"),
                row.getString("pool"),
                row.getString("node"),
                row.getString("request"),
                row.getString("ranges"),
                timeOrNull(row, "granted_at"),
                time(row, "seen_at"),
                row.getString("last_state"),
                timeOrNull(row, "gone_after"),
                timeOrNull(row, "gone_at"),
                row.getString("rule"),
                row.getString("run"));
    }
}
