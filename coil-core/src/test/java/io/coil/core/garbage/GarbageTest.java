package io.coil.core.garbage;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.core.pool.CollectionMode;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

class GarbageTest {

    @ParameterizedTest
    @CsvSource({
        "ON, PERIODIC EVENT ON_DEMAND_NAMED ON_DEMAND_ALL PLAN_APPLY PLAN_LOOK",
        "MANUAL, ON_DEMAND_NAMED PLAN_APPLY PLAN_LOOK",
        "OFF, PLAN_LOOK"
    })
    void H9_theModeSaysWhatMayCollect(CollectionMode mode, String allowed) {
        assertThat(Arrays.stream(Trigger.values()).filter(t -> t.allowedBy(mode)).map(Enum::name))
                .containsExactlyInAnyOrder(allowed.split(" "));
    }

    @ParameterizedTest
    @EnumSource(Rule.class)
    void rulesHaveNamesThatCanBeReadBack(Rule rule) {
        assertThat(rule.text()).matches("[a-z]+(-[a-z]+)*");
        assertThat(Rule.parse(rule.text())).hasValue(rule);
    }

    @Test
    void whatAnotherVersionSaysIsNotGuessedAt() {
        assertThat(Rule.parse("SURPLUS_BLOCK")).isEmpty();
        assertThat(Outcome.parse("no-longer-true")).hasValue(Outcome.NO_LONGER_TRUE);
        assertThat(Outcome.parse("who-knows")).isEmpty();
        assertThat(Kind.parse("AddressBlock")).hasValue(Kind.BLOCK);
        assertThat(Kind.parse("Pod")).isEmpty();
    }

    @Test
    void aSelectionMeansWhatAllItsPartsMean() {
        Selection selection = new Selection(Set.of("n1", "n2"), Set.of("default"), Set.of());

        assertThat(selection.matches("n1", "default", "default-0")).isTrue();
        assertThat(selection.matches("n1", "other", "other-0")).isFalse();
        assertThat(selection.matches("n3", "default", "default-0")).isFalse();
        assertThat(selection.matches(null, "default", "default-0")).isFalse();
        assertThat(selection.matchesNode("n2")).isTrue();
        assertThat(selection.names("n1", "default", null)).isTrue();
        assertThat(Selection.ALL.matches(null, null, null)).isTrue();
        assertThat(Selection.ALL.names("n1", "default", null)).isFalse();
    }

    static Stream<Arguments> requests() {
        Duration young = Duration.ofMinutes(9);
        Duration old = Duration.ofMinutes(10);
        return Stream.of(
                Arguments.of("open", Set.of("A"), "A", false, old, StrayRequest.KEEP),
                Arguments.of("made by hand", Set.of(), "A", false, old, StrayRequest.KEEP),
                Arguments.of("just finished", Set.of("A"), "A", true, young, StrayRequest.KEEP),
                Arguments.of("unfetched", Set.of("A"), "A", true, old, StrayRequest.UNFETCHED),
                Arguments.of(
                        "unfetched, by hand", Set.of(), "A", true, old, StrayRequest.UNFETCHED),
                Arguments.of("node gone", Set.of("A"), null, false, young, StrayRequest.OWNER_GONE),
                Arguments.of(
                        "node gone, by hand",
                        Set.of(),
                        null,
                        false,
                        young,
                        StrayRequest.OWNER_GONE),
                Arguments.of(
                        "node made anew", Set.of("A"), "B", false, young, StrayRequest.OWNER_GONE));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("requests")
    void h12_strayRequests(
            String what,
            Set<String> owners,
            @Nullable String node,
            boolean finished,
            Duration finishedFor,
            StrayRequest expected) {
        assertThat(StrayRequest.decide(owners, node, finished, finishedFor, Duration.ofMinutes(10)))
                .as(what)
                .isEqualTo(expected);
        assertThat(expected.isStray()).isEqualTo(expected != StrayRequest.KEEP);
    }

    @Test
    void aResourceCarriesTheFirstItemsAndCountsAll() {
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < 700; i++) {
            items.add(item(i % 7 == 0 ? Rule.OVERLAP : Rule.SURPLUS_BLOCK, "b-" + i, "u" + i));
        }

        Findings findings = Findings.of(items);

        assertThat(findings.items()).hasSize(Findings.LIMIT).isEqualTo(items.subList(0, 500));
        assertThat(findings.rest()).isEqualTo(200);
        assertThat(findings.total()).isEqualTo(700);
        assertThat(findings.count(Rule.OVERLAP)).isEqualTo(100);
        assertThat(findings.count(Rule.SURPLUS_BLOCK)).isEqualTo(600);
        assertThat(findings.count(Outcome.PLANNED)).isEqualTo(700);
        assertThat(findings.count(Outcome.DONE)).isZero();
    }

    @Test
    void H3_applyingAPlanDoesWhatItListsAndIsStillTrue() {
        Item same = item(Rule.SURPLUS_BLOCK, "b-0", "u0");
        Item gone = item(Rule.SURPLUS_BLOCK, "b-1", "u1");
        Item madeAnew = item(Rule.SURPLUS_BLOCK, "b-2", "u2");
        Item report = item(Rule.OVERLAP, "b-3", "u3");
        Item older =
                new Item(
                        same.rule(),
                        same.kind(),
                        same.name(),
                        same.uid(),
                        same.block(),
                        same.pool(),
                        same.node(),
                        "still empty",
                        Duration.ofMinutes(9),
                        Outcome.PLANNED);
        Item unplanned = item(Rule.SURPLUS_BLOCK, "b-9", "u9");

        PlanApplication application =
                PlanApplication.of(
                        List.of(same, gone, madeAnew, report),
                        List.of(
                                older,
                                item(Rule.SURPLUS_BLOCK, "b-2", "other"),
                                report,
                                unplanned));

        assertThat(application.act()).containsExactly(older);
        assertThat(application.report())
                .containsExactly(
                        gone.with(Outcome.NO_LONGER_TRUE),
                        madeAnew.with(Outcome.NO_LONGER_TRUE),
                        report.with(Outcome.REPORTED));
    }

    @Test
    void anOldPlanIsNotApplied() {
        assertThat(PlanApplication.isFresh(Duration.ofMinutes(30))).isTrue();
        assertThat(PlanApplication.isFresh(Duration.ofMinutes(30).plusNanos(1))).isFalse();
        assertThat(PlanApplication.isFresh(Duration.ofSeconds(-1))).isFalse();
    }

    @Test
    void B5_aDeadNodesBlockGoesOnlyWithAMark() {
        Duration grace = Duration.ofMinutes(2);
        Duration dead = Duration.ofMinutes(5);

        assertThat(ForcedRelease.decide("u1", true, null, true, dead, grace))
                .isInstanceOf(ForcedRelease.Release.class);
        assertThat(ForcedRelease.decide("u1", true, null, false, dead, grace))
                .isInstanceOf(ForcedRelease.Refuse.class);
        assertThat(ForcedRelease.decide("u1", true, "u1;rack burnt", false, dead, grace))
                .isEqualTo(new ForcedRelease.Release("rack burnt"));
        assertThat(ForcedRelease.decide("u1", false, "u1;rack burnt", true, dead, grace))
                .isInstanceOf(ForcedRelease.Refuse.class);
        assertThat(
                        ForcedRelease.decide(
                                "u1", true, "u1;rack burnt", false, Duration.ofSeconds(90), grace))
                .isEqualTo(new ForcedRelease.Wait(Duration.ofSeconds(30)));
        for (String bad : List.of("u2;rack burnt", "u1", "u1; ", ";why", "")) {
            assertThat(ForcedRelease.decide("u1", true, bad, false, dead, grace))
                    .as(bad)
                    .isInstanceOf(ForcedRelease.Refuse.class);
        }
        assertThat(ForcedRelease.decide("u1", true, "u1;why", false, Duration.ZERO, grace))
                .isInstanceOf(ForcedRelease.Refuse.class);
    }

    private static Item item(Rule rule, String name, String uid) {
        return new Item(
                rule,
                Kind.BLOCK,
                name,
                uid,
                name,
                "b",
                "n1",
                "empty for 5m",
                Duration.ofMinutes(5),
                Outcome.PLANNED);
    }
}
