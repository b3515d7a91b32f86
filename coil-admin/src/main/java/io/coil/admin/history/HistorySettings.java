package io.coil.admin.history;

import io.coil.core.settings.Setting;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * Where history is kept, and for how long.
 *
 * @param url JDBC URL; null: it is not kept
 * @param user null: the URL says it, or the database needs none (the same for the password)
 */
public record HistorySettings(
        @Nullable String url,
        @Nullable String user,
        @Nullable String password,
        Duration retention) {
    private static final String NONE = "none";
    private static final Setting<String> URL =
            new Setting<>(
                    "coil.admin.history",
                    "jdbc:h2:file:./coil-history/history",
                    "a JDBC URL that begins with jdbc:h2: or jdbc:postgresql:, or none",
                    "database of history and audit; several replicas need one PostgreSQL",
                    text -> known(text) ? text : null);
    private static final Setting<String> USER =
            Setting.text("coil.admin.history-user", null, "user of that database");
    private static final Setting<String> PASSWORD =
            Setting.text("coil.admin.history-password", null, "the user's password");
    private static final Setting<Duration> RETENTION =
            Setting.duration(
                    "coil.admin.history-retention",
                    "90d",
                    "1h",
                    "3650d",
                    "how long what is over is kept");

    /** Every setting, for the manual. */
    public static final List<Setting<?>> ALL = List.of(URL, USER, PASSWORD, RETENTION);

    public static HistorySettings read(Function<String, @Nullable String> values) {
        String url = URL.from(values);
        return new HistorySettings(
                url.equals(NONE) ? null : url,
                USER.orNull(values),
                PASSWORD.orNull(values),
                RETENTION.from(values));
    }

    private static boolean known(String text) {
        return text.equals(NONE)
                || text.startsWith("jdbc:h2:")
                || text.startsWith("jdbc:postgresql:");
    }

    /** Nothing that somebody may print has the password, or a URL that may hold one. */
    @Override
    public String toString() {
        return "HistorySettings[" + (url == null ? NONE : "a database") + ", " + retention + "]";
    }
}
