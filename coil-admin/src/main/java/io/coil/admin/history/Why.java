package io.coil.admin.history;

import java.sql.SQLException;

/** Why the database does not answer, in a line that has no password in it. */
final class Why {
    private static final int MOST = 200;

    private Why() {}

    static String of(Throwable failure) {
        Throwable said = failure;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            said = cause instanceof SQLException || cause.getCause() == null ? cause : said;
        }
        String message = String.valueOf(said.getMessage()).lines().findFirst().orElse("");
        String hidden = message.replaceAll("(?i)(password=)[^&;\\s]*", "$1…");
        return hidden.length() > MOST ? hidden.substring(0, MOST) + "…" : hidden;
    }
}
