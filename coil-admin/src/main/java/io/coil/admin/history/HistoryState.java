package io.coil.admin.history;

import java.time.Instant;

/** How it is with the database. */
public sealed interface HistoryState {

    /** None is configured. */
    record Off() implements HistoryState {}

    /** It has not answered yet, or not since; {@code why} is a sentence for people. */
    record Away(Instant since, String why) implements HistoryState {}

    /** It answers. */
    record There() implements HistoryState {}
}
