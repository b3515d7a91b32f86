package io.coil.admin.history;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

import java.time.Instant;
import java.util.function.Supplier;

/**
 * How it is with the database. Never down: without it everything else works, and nobody should be
 * restarted or taken out of service for it. Says nothing of the database's place or users.
 */
final class HistoryHealth implements HealthIndicator {
    private final Supplier<HistoryState> state;
    private final Pending pending;

    HistoryHealth(Supplier<HistoryState> state, Pending pending) {
        this.state = state;
        this.pending = pending;
    }

    @Override
    public Health health() {
        Health.Builder health =
                switch (state.get()) {
                    case HistoryState.Off() -> Health.unknown().withDetail("history", "not kept");
                    case HistoryState.Away(Instant since, String why) ->
                            Health.unknown()
                                    .withDetail("history", "the database does not answer")
                                    .withDetail("since", since.toString());
                    case HistoryState.There() -> Health.up();
                };
        return health.withDetail("waiting", pending.size())
                .withDetail("auditEntriesLost", pending.entriesLost())
                .withDetail("changesLost", pending.changesLost())
                .build();
    }
}
