package io.coil.admin.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.coil.admin.snapshot.Sight;
import io.coil.core.net.Address;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.RunItem;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What holds of every database. */
abstract class HistoryContract {
    private static final Duration KEPT = Duration.ofDays(90);
    private static final String P1 = "10.1.0.0";

    /** An empty database, a new one for each call. */
    abstract String empty();

    static Sight cluster() {
        return new Sight()
                .pool("default", 1, "10.1.0.0/29")
                .node("n1")
                .block("default", 0, "n1", "10.1.0.0/31");
    }

    private static Instant at(String time) {
        return Instant.parse("2026-12-01T" + time + "Z");
    }

    @Test
    @DisplayName("H10: who had the address then")
    void h10_whoHadTheAddressThen() {
        try (Kept kept = new Kept(empty(), KEPT)) {
            kept.see(at("09:59:59"), cluster());
            kept.see(at("10:00:00"), cluster().pod("p1", "n1", P1, at("09:59:58")));
            kept.see(at("10:05:00"), cluster().pod("p1", "n1", P1, at("09:59:58")));
            kept.see(at("10:05:01"), cluster());
            kept.see(at("10:06:00"), cluster().pod("p2", "n1", P1, at("10:05:59")));
            kept.written();

            assertThat(kept.podsAt(P1, "2026-12-01T10:03:00Z")).containsExactly("p1");
            assertThat(kept.podsAt(P1, "2026-12-01T10:05:30Z")).isEmpty();
            assertThat(kept.podsAt(P1, "2026-12-01T10:06:30Z")).containsExactly("p2");
            assertThat(kept.podsAt(P1, "2026-12-01T09:59:00Z")).isEmpty();
            Holding first = kept.holders(P1).getLast();
            assertThat(first.certainAt(at("10:03:00"))).isTrue();
            assertThat(first.certainAt(at("10:05:00.900"))).isFalse();
            assertThat(first.beganAfter()).isEqualTo(at("09:59:58.800"));
            assertThat(first.beganAt()).isEqualTo(at("10:00:00"));
            assertThat(first.endedAfter()).isEqualTo(at("10:04:59.800"));
            assertThat(first.endedAt()).isEqualTo(at("10:05:01"));
        }
    }

    @Test
    @DisplayName("H6: from the address to pod, node, block, since when; and the other way")
    void h6_fromAddressToPodAndBack() {
        try (Kept kept = new Kept(empty(), KEPT)) {
            kept.see(at("09:00:00"), cluster().pod("p1", "n1", P1, at("08:00:00")));
            kept.written();

            Holding holding = kept.holders(P1).getFirst();
            assertThat(holding.fullName()).isEqualTo("shop/p1");
            assertThat(holding.node()).isEqualTo("n1");
            assertThat(holding.block()).isEqualTo("default-0");
            // It ran when watching began: since when it has the address is only known so far.
            assertThat(holding.beganAfter()).isEqualTo(at("08:00:00"));
            assertThat(holding.certainAt(at("08:30:00"))).isFalse();
            assertThat(kept.podsAt(P1, "2026-12-01T08:30:00Z")).containsExactly("p1");
            assertThat(kept.history.ofPod("shop", "p1")).containsExactly(holding);
            assertThat(kept.history.ofPod(null, "p1")).containsExactly(holding);
            assertThat(kept.history.ofPod("other", "p1")).isEmpty();
        }
    }

    @Test
    void afterAnEndOfTheProgramWhatIsGoneEndedAtLatestNow() {
        String url = empty();
        try (Kept kept = new Kept(url, KEPT)) {
            kept.see(
                    at("10:00:00"),
                    cluster().pod("p1", "n1", P1, at("09:00:00")).pod("p3", "n1", "10.1.0.1"));
            kept.written();
            await().until(() -> kept.history.watched().isPresent());
        }
        try (Kept kept = new Kept(url, KEPT)) {
            kept.see(
                    at("10:20:00"),
                    new Sight().pool("default", 1, "10.1.0.0/29").pod("p3", "n1", "10.1.0.1"));
            kept.written();

            Holding p1 = kept.holders(P1).getFirst();
            assertThat(p1.endedAfter()).isEqualTo(at("10:00:00"));
            assertThat(p1.endedAt()).isEqualTo(at("10:20:00"));
            assertThat(kept.holders("10.1.0.1")).hasSize(1).allMatch(Holding::open);
            assertThat(kept.history.block("default-0").getFirst().goneAt())
                    .isEqualTo(at("10:20:00"));
            assertThat(kept.history.blind(at("10:00:00"), at("10:20:00")))
                    .containsExactly(new Watched(at("09:59:59.800"), at("10:19:59.800")));
        }
    }

    @Test
    void whichNodeHeldTheBlockAndWhyItWentBack() {
        try (Kept kept = new Kept(empty(), KEPT)) {
            kept.see(at("10:00:00"), cluster());
            kept.written();
            kept.see(at("10:01:00"), new Sight().pool("default", 1, "10.1.0.0/29").run(run()));
            kept.see(at("10:02:00"), new Sight().pool("default", 1, "10.1.0.0/29").run(run()));
            kept.written();

            BlockTerm term = kept.history.block("default-0").getFirst();
            assertThat(term.node()).isEqualTo("n1");
            assertThat(term.ranges()).isEqualTo("10.1.0.0/31");
            assertThat(term.goneAfter()).isEqualTo(at("10:00:00"));
            assertThat(term.goneAt()).isEqualTo(at("10:01:00"));
            assertThat(term.lastState()).isEqualTo("unreported");
            assertThat(term.rule()).isEqualTo("surplus-block");
            assertThat(term.run()).isEqualTo("run-1");
            assertThat(kept.history.blocksOf("n1")).containsExactly(term);
            PastRun run = kept.history.run("run-1").orElseThrow();
            assertThat(run.items()).hasSize(2);
            assertThat(run.done()).isEqualTo(2);
            assertThat(run.reason()).isEqualTo("to see");
            assertThat(kept.history.freed(List.of(Address.parse("10.1.0.1"))))
                    .extracting(Freed::container)
                    .containsExactly("c1");
            assertThat(kept.rows("past_run")).isEqualTo(1);
        }
    }

    static GarbageCollection run() {
        return new GarbageCollection(
                Names.OPS_API,
                "GarbageCollection",
                new V1ObjectMeta()
                        .name("run-1")
                        .uid("run-1-uid")
                        .creationTimestamp(Sight.at(at("10:00:30"))),
                new GarbageCollection.Spec(List.of(), List.of(), List.of(), false, null, "to see"),
                new GarbageCollection.Status(
                        GarbageCollection.Status.COMPLETED,
                        null,
                        2,
                        2,
                        0,
                        0,
                        List.of(
                                item("surplus-block", "Block", "default-0", "block-default-0"),
                                item("vanished-container", "Address", "10.1.0.1", "c1")),
                        0,
                        List.of("n1"),
                        List.of(),
                        Sight.at(at("10:00:31")),
                        Sight.at(at("10:00:40"))));
    }

    private static RunItem item(String rule, String kind, String name, String uid) {
        return new RunItem(
                rule, kind, name, uid, "default-0", "default", "n1", "seen", 5, RunItem.DONE, null);
    }

    @Test
    void twoProgramsThatSeeTheSameWriteItOnce() {
        String url = empty();
        try (Kept one = new Kept(url, KEPT);
                Kept other = new Kept(url, KEPT)) {
            Sight none = cluster();
            Sight many = cluster();
            for (int i = 0; i < 200; i++) {
                many.pod("m" + i, "n1", "10.2.0." + i, at("10:00:00"));
            }
            for (int round = 0; round < 5; round++) {
                Instant then = at("10:00:00").plusSeconds(60L * round);
                one.see(then, none);
                other.see(then.plusMillis(150), none);
                one.see(then.plusSeconds(10), many);
                other.see(then.plusSeconds(10).plusMillis(150), many);
            }
            one.see(at("10:10:00"), new Sight().run(run()));
            other.see(at("10:10:00.150"), new Sight().run(run()));
            one.written();
            other.written();

            assertThat(one.holders("10.2.0.7")).hasSize(5);
            assertThat(one.rows("holding")).isEqualTo(1000);
            assertThat(one.rows("holding where ended_at is null")).isZero();
            assertThat(one.rows("block_term")).isEqualTo(1);
            assertThat(one.rows("past_run")).isEqualTo(1);
            assertThat(one.rows("past_item")).isEqualTo(2);
            assertThat(one.audit("gone", "default")).hasSize(1);
        }
    }

    @Test
    void theAuditIsFilteredAndReadInPages() {
        try (Kept kept = new Kept(empty(), KEPT)) {
            for (int i = 0; i < 25; i++) {
                kept.note(
                        Entries.entry(
                                at("10:00:00").plusSeconds(i / 5),
                                i % 2 == 0 ? "ann@example.org" : "bob",
                                i % 3 == 0 ? "drain" : "return",
                                "block",
                                "default-" + i,
                                AuditEntry.Result.DONE));
            }
            kept.written();
            AuditQuery blocks = new AuditQuery("", "", "default-", null, null);
            assertThat(kept.history.auditCount(blocks)).isEqualTo(25);
            assertThat(kept.history.audit(blocks, 20, 10)).hasSize(5);

            List<Noted> read = new ArrayList<>(kept.history.audit(blocks, 0, 10));
            while (read.size() < 25) {
                read.addAll(kept.history.auditAfter(blocks, read.getLast(), 10));
            }
            assertThat(read).doesNotHaveDuplicates().hasSize(25);
            assertThat(read.getFirst().at()).isEqualTo(at("10:00:04"));
            assertThat(read.getFirst().request()).isEqualTo("abc");
            assertThat(kept.history.auditAfter(blocks, read.getLast(), 10)).isEmpty();

            assertThat(count(kept, "ANN@", "", "default-")).isEqualTo(13);
            assertThat(count(kept, "", "drain", "default-")).isEqualTo(9);
            assertThat(count(kept, "", "", "default-7")).isEqualTo(1);
            assertThat(count(kept, "%", "", "")).isZero();
            AuditQuery between = new AuditQuery("", "", "default-", at("10:00:01"), at("10:00:03"));
            assertThat(kept.history.auditCount(between)).isEqualTo(10);
            assertThat(kept.history.actions()).contains("drain", "return");
        }
    }

    private static int count(Kept kept, String who, String what, String on) {
        return kept.history.auditCount(new AuditQuery(who, what, on, null, null));
    }

    @Test
    void whatSomebodyDidElsewhereIsObservedAndNobodyIsNamed() {
        try (Kept kept = new Kept(empty(), KEPT)) {
            kept.see(at("10:00:00"), cluster());
            kept.see(at("10:01:00"), cluster().pool("other", 0, "10.9.0.0/30"));
            kept.see(at("10:02:00"), cluster());
            kept.written();

            assertThat(kept.audit("", "other"))
                    .extracting(Noted::action, Noted::caller, Noted::result)
                    .containsExactly(
                            tuple("gone", "", Noted.OBSERVED), tuple("create", "", Noted.OBSERVED));
        }
    }

    @Test
    void whatSomebodyDidHereIsNotObservedOnceMore() {
        try (Kept kept = new Kept(empty(), KEPT)) {
            kept.see(at("10:00:00"), cluster());
            // Noted before it is seen, and after.
            kept.note(done(at("10:00:59"), "create", "a"));
            kept.written();
            kept.see(at("10:01:00"), cluster().pool("a", 0, "10.9.0.0/30"));
            kept.see(at("10:02:00"), cluster());
            kept.written();
            kept.note(done(at("10:02:01"), "delete", "a"));
            kept.written();

            assertThat(kept.audit("", "a").stream().filter(n -> n.kind().equals("pool")))
                    .extracting(Noted::action)
                    .containsExactly("delete", "create");
        }
    }

    private static AuditEntry done(Instant at, String action, String pool) {
        return Entries.entry(at, "ann", action, "pool", pool, AuditEntry.Result.DONE);
    }

    @Test
    void thePoolDayByDay() {
        try (Kept kept = new Kept(empty(), KEPT)) {
            kept.see(Instant.parse("2026-11-30T23:00:00Z"), cluster());
            kept.see(Instant.parse("2026-11-30T23:59:00Z"), two());
            kept.see(Instant.parse("2026-12-01T00:01:00Z"), cluster());
            kept.written();
            kept.database.together(() -> Tables.of(kept.database).uses().write(uses(kept)));

            List<PoolUse> days = kept.history.use("pool-default", 14);
            assertThat(days)
                    .extracting(PoolUse::blocks, PoolUse::blocksPeak)
                    .containsExactly(tuple(2, 2), tuple(1, 1));
            assertThat(days.getFirst().peakAt()).isEqualTo(Instant.parse("2026-11-30T23:59:00Z"));
            assertThat(days.getFirst().blocksTotal()).isEqualTo("4");
        }
    }

    /** What the writer has not written yet, because it does so every ten seconds only. */
    private static List<PoolUse> uses(Kept kept) {
        return kept.pending.take(0, true).uses();
    }

    private static Sight two() {
        return cluster().block("default", 1, "n1", "10.1.0.2/31");
    }

    @Test
    void whatIsOverForLongerThanItIsKeptGoes() {
        try (Kept kept = new Kept(empty(), Duration.ofHours(1))) {
            kept.see(at("08:00:00"), cluster().pod("old", "n1", P1).pod("stays", "n1", "10.1.0.1"));
            kept.see(at("08:01:00"), cluster().pod("stays", "n1", "10.1.0.1").run(run()));
            kept.note(Entries.entry(at("08:00:00"), "ann", "return", "block", "b", done()));
            kept.written();
            kept.see(at("08:30:00"), new Sight().pod("stays", "n1", "10.1.0.1"));
            kept.written();
            Pruning pruning = new Pruning(kept.time, kept.database, Duration.ofHours(1));
            kept.time.now = at("09:20:00");

            pruning.whenDue();
            assertThat(kept.holders(P1)).isEmpty();
            assertThat(kept.holders("10.1.0.1")).hasSize(1);
            assertThat(kept.rows("block_term")).isEqualTo(1);
            assertThat(kept.audit("return", "")).isEmpty();

            kept.time.now = at("20:00:00");
            new Pruning(kept.time, kept.database, Duration.ofHours(1)).whenDue();
            assertThat(kept.rows("block_term")).isZero();
            assertThat(kept.rows("past_item")).isZero();
            assertThat(kept.rows("past_run")).isZero();
            assertThat(kept.holders("10.1.0.1")).hasSize(1);
        }
    }

    private static AuditEntry.Result done() {
        return AuditEntry.Result.DONE;
    }

    @Test
    void oneRowThatTheDatabaseRefusesTakesNoOtherWithIt() {
        try (Kept kept = new Kept(empty(), KEPT)) {
            kept.see(at("10:00:00"), cluster());
            kept.written();
            kept.database
                    .batches()
                    .execute("alter table audit add constraint c check (name <> 'x')");

            kept.note(Entries.returned("a"));
            kept.note(Entries.returned("x"));
            kept.note(Entries.returned("b"));
            kept.written();

            assertThat(kept.audit("return", "")).extracting(Noted::name).contains("a", "b");
            assertThat(kept.audit("return", "x")).isEmpty();
        }
    }
}
