package io.coil.admin.history;

import io.coil.admin.problem.Problem;
import io.coil.core.net.Address;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.transaction.TransactionException;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What was. Each question throws a {@link io.coil.admin.problem.Refusal} of status 503 that says
 * why, if the database is away or none is kept.
 */
public final class History {
    private static final int MOST = 100;
    private static final int BLIND = 20;

    private final @Nullable Tables tables;
    private final Supplier<HistoryState> state;
    private final RecentAudit recent;
    private final Timeline timeline;
    private final Duration retention;

    History(
            @Nullable Tables tables,
            Supplier<HistoryState> state,
            RecentAudit recent,
            Timeline timeline,
            Duration retention) {
        this.tables = tables;
        this.state = state;
        this.recent = recent;
        this.timeline = timeline;
        this.retention = retention;
    }

    public HistoryState state() {
        return state.get();
    }

    /** How long what is over is kept. */
    public Duration retention() {
        return retention;
    }

    /** Those who had one of these addresses, newest first. */
    public List<Holding> holders(List<Address> addresses) {
        return ask(t -> t.holdings().of(texts(addresses), MOST));
    }

    /** Those who had, or may have had, one of these addresses at that time. */
    public List<Holding> holdersAt(List<Address> addresses, Instant time) {
        return ask(t -> t.holdings().at(texts(addresses), time));
    }

    /** Addresses that pods of that name had; a namespace of null means any. */
    public List<Holding> ofPod(@Nullable String namespace, String pod) {
        return ask(t -> t.holdings().ofPod(namespace, pod, MOST));
    }

    /** Collections that freed one of these addresses. */
    public List<Freed> freed(List<Address> addresses) {
        return ask(t -> t.runs().freed(texts(addresses)));
    }

    /** The terms of a block's name, newest first. */
    public List<BlockTerm> block(String name) {
        return ask(t -> t.blocks().named(name, MOST));
    }

    /** The blocks that a node holds and held, newest first. */
    public List<BlockTerm> blocksOf(String node) {
        return ask(t -> t.blocks().of(node, MOST));
    }

    public Optional<PastRun> run(String name) {
        return ask(t -> t.runs().named(name));
    }

    /** A pool day by day, oldest first; days without a row were not watched. */
    public List<PoolUse> use(String poolUid, int days) {
        LocalDate today = LocalDate.ofInstant(timeline.now(), ZoneOffset.UTC);
        return ask(t -> t.uses().of(poolUid, today.minusDays(days - 1L)));
    }

    /** From when to when somebody has watched, but for {@link #blind}; empty: not yet. */
    public Optional<Watched> watched() {
        Instant oldest = timeline.now().minus(retention);
        return ask(t -> t.sights().all())
                .map(w -> w.from().isBefore(oldest) ? new Watched(oldest, w.to()) : w);
    }

    /** When nobody watched, of the time between these two; newest first. */
    public List<Watched> blind(Instant from, Instant to) {
        return ask(t -> t.sights().blind(from, to, BLIND));
    }

    /** Newest first. While there is no database: what was noted since this program started. */
    public List<Noted> audit(AuditQuery query, int skip, int most) {
        if (!(state() instanceof HistoryState.There)) {
            return recent.find(query).stream().skip(skip).limit(most).toList();
        }
        return ask(t -> t.audits().find(query, skip, most));
    }

    /** As {@link #audit}, from the one after {@code last} on. */
    public List<Noted> auditAfter(AuditQuery query, Noted last, int most) {
        return ask(t -> t.audits().after(query, last, most));
    }

    public int auditCount(AuditQuery query) {
        if (!(state() instanceof HistoryState.There)) {
            return recent.find(query).size();
        }
        return ask(t -> t.audits().count(query));
    }

    /** Every action that the audit has an entry of. */
    public List<String> actions() {
        if (!(state() instanceof HistoryState.There)) {
            return recent.find(AuditQuery.ALL).stream()
                    .map(Noted::action)
                    .distinct()
                    .sorted()
                    .toList();
        }
        return ask(t -> t.audits().actions());
    }

    private <T> T ask(Function<Tables, T> question) {
        return switch (state()) {
            case HistoryState.Off() ->
                    throw unavailable(
                            "This program keeps none: coil.admin.history is none. What is true now is shown all the same.");
            case HistoryState.Away(Instant since, String why) ->
                    throw unavailable(away(since, why));
            case HistoryState.There() -> answer(question);
        };
    }

    private <T> T answer(Function<Tables, T> question) {
        if (tables == null) {
            throw new IllegalStateException("there without tables");
        }
        try {
            return question.apply(tables);
        } catch (DataAccessException | TransactionException e) {
            throw unavailable(away(timeline.now(), Why.of(e)));
        }
    }

    private static String away(Instant since, String why) {
        return "Its database has not answered since %s (%s). What happens meanwhile is written when it is back."
                .formatted(since.truncatedTo(ChronoUnit.SECONDS), why);
    }

    private static RuntimeException unavailable(String detail) {
        return Problem.of(HttpStatus.SERVICE_UNAVAILABLE, "There is no history to be read", detail)
                .thrown();
    }

    private static List<String> texts(List<Address> addresses) {
        return addresses.stream().map(Address::toString).toList();
    }
}
