package io.coil.admin.history;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import org.flywaydb.core.Flyway;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The connections. Making one does not need the database to be there; whoever asks something of it
 * while it is away waits two seconds at most.
 */
final class Database implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Database.class);
    private static final int CONNECTIONS = 4;
    private static final int PIECE = 5000;
    private static final long WAIT_MILLIS = 2000;

    /** H2 in the words of PostgreSQL; each commit on the disk; closed by us and nobody else. */
    private static final String H2 =
            ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH"
                    + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE;DB_CLOSE_DELAY=-1";

    private final boolean embedded;
    private final HikariDataSource pool;
    private final JdbcClient client;
    private final JdbcTemplate batches;
    private final TransactionTemplate transactions;

    Database(String url, HistorySettings settings) {
        this.embedded = url.startsWith("jdbc:h2:");
        HikariConfig config = new HikariConfig();
        config.setPoolName("history");
        config.setJdbcUrl(embedded ? url + H2 : url);
        config.setUsername(settings.user() == null && embedded ? "sa" : settings.user());
        config.setPassword(settings.password() == null && embedded ? "" : settings.password());
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(WAIT_MILLIS);
        config.setValidationTimeout(WAIT_MILLIS / 2);
        config.setInitializationFailTimeout(-1);
        if (!embedded) {
            config.addDataSourceProperty("ApplicationName", "coil-admin");
            config.addDataSourceProperty("connectTimeout", "2");
            config.addDataSourceProperty("socketTimeout", "30");
            config.addDataSourceProperty("reWriteBatchedInserts", "true");
        }
        this.pool = new HikariDataSource(config);
        this.client = JdbcClient.create(pool);
        this.batches = new JdbcTemplate(pool);
        this.transactions = new TransactionTemplate(new JdbcTransactionManager(pool));
    }

    /** Makes or changes the tables; several programs may do so at once. */
    void migrate() {
        Flyway.configure(Database.class.getClassLoader())
                .dataSource(pool)
                .locations("classpath:history/migrations")
                .table("coil_history_versions")
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load()
                .migrate();
    }

    JdbcClient ask() {
        return client;
    }

    JdbcTemplate batches() {
        return batches;
    }

    /** All of it or nothing. */
    void together(Runnable work) {
        transactions.executeWithoutResult(status -> work.run());
    }

    /** Reads many rows in pieces, not all at once. */
    void each(String sql, RowCallbackHandler row) {
        // Only inside a transaction does PostgreSQL hand them out in pieces.
        together(
                () -> {
                    JdbcTemplate pieces = new JdbcTemplate(pool);
                    pieces.setFetchSize(PIECE);
                    pieces.query(sql, row);
                });
    }

    @Override
    public void close() {
        if (embedded) {
            try {
                batches.execute("shutdown");
            } catch (DataAccessException e) {
                LOG.atDebug().setCause(e).log("embedded database not shut down in order");
            }
        }
        pool.close();
    }
}
