package io.coil.admin.history;

import static io.coil.admin.history.Columns.time;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;

/** The table {@code pool_use}: pools day by day. */
final class Uses {
    private static final String INSERT =
            """
            insert into pool_use (pool_uid, on_day, pool, blocks, blocks_peak, peak_at,
             blocks_total, addresses, addresses_peak) values (?, ?, ?, ?, ?, ?, ?, ?, ?)
             on conflict do nothing
            """;

    /** A peak that somebody else has seen stays. */
    private static final String UPDATE =
            """
            update pool_use set blocks = ?, blocks_total = ?, addresses = ?,
             addresses_peak = greatest(addresses_peak, ?),
             peak_at = case when blocks_peak < ? then cast(? as timestamp with time zone)
              else peak_at end,
             blocks_peak = greatest(blocks_peak, ?) where pool_uid = ? and on_day = ?
            """;

    private final Database database;

    Uses(Database database) {
        this.database = database;
    }

    void write(List<PoolUse> uses) {
        database.batches()
                .batchUpdate(
                        INSERT,
                        uses.stream()
                                .map(
                                        u ->
                                                new Object[] {
                                                    u.poolUid(),
                                                    u.day(),
                                                    u.pool(),
                                                    u.blocks(),
                                                    u.blocksPeak(),
                                                    time(u.peakAt()),
                                                    u.blocksTotal(),
                                                    u.addresses(),
                                                    u.addressesPeak()
                                                })
                                .toList());
        database.batches()
                .batchUpdate(
                        UPDATE,
                        uses.stream()
                                .map(
                                        u ->
                                                new Object[] {
                                                    u.blocks(),
                                                    u.blocksTotal(),
                                                    u.addresses(),
                                                    u.addressesPeak(),
                                                    u.blocksPeak(),
                                                    time(u.peakAt()),
                                                    u.blocksPeak(),
                                                    u.poolUid(),
                                                    u.day()
                                                })
                                .toList());
    }

    /** Oldest first, from that day on. */
    List<PoolUse> of(String poolUid, LocalDate from) {
        return database.ask()
                .sql(
                        "select * from pool_use where pool_uid = :uid and on_day >= :from order by on_day")
                .param("uid", poolUid)
                .param("from", from)
                .query(Uses::read)
                .list();
    }

    int prune(LocalDate before) {
        return database.ask()
                .sql("delete from pool_use where on_day < :before")
                .param("before", before)
                .update();
    }

    private static PoolUse read(ResultSet row, int number) throws SQLException {
        return new PoolUse(
                row.getString("pool_uid"),
                row.getObject("on_day", LocalDate.class),
                row.getString("pool"),
                row.getInt("blocks"),
                row.getInt("blocks_peak"),
                time(row, "peak_at"),
                row.getString("blocks_total"),
                row.getLong("addresses"),
                row.getLong("addresses_peak"));
    }
}
