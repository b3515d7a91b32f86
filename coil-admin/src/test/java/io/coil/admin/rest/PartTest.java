package io.coil.admin.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.admin.problem.Refusal;
import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.Snapshot;
import io.coil.admin.snapshot.Totals;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Lists in parts: whatever changes between two of them, nothing is lost and nothing comes twice.
 */
class PartTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    record Thing(String name, long used, @Nullable Instant since) {}

    private static Current at(Instant time) {
        Totals none = new Totals(BigInteger.ZERO, 0, BigInteger.ZERO, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        Snapshot image =
                new Snapshot(
                        time, none, Map.of(), Map.of(), Map.of(), List.of(), Map.of(), Map.of(),
                        List.of());
        return new Current(image, time, Duration.ZERO, true);
    }

    private static List<Thing> things(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Thing("t%02d".formatted(i), i % 3, null))
                .toList();
    }

    private static Page<Thing> part(
            List<Thing> all, @Nullable String sort, @Nullable String after, Instant time) {
        return new Part(4, after, sort, "query").of(at(time), Thing.class, all, "name", "name");
    }

    private static List<String> names(Page<Thing> page) {
        return page.items().stream().map(Thing::name).toList();
    }

    @Test
    void allPartsTogetherAreTheList() {
        List<String> read = new ArrayList<>();
        String after = null;
        do {
            Page<Thing> page = part(things(10), "-used", after, NOW);
            assertThat(page.total()).isEqualTo(10);
            read.addAll(names(page));
            after = page.next();
        } while (after != null);

        assertThat(read)
                .containsExactly(
                        "t02", "t05", "t08", "t01", "t04", "t07", "t00", "t03", "t06", "t09");
    }

    @Test
    void theNextPartIsTheSameWhenTheLastItemHasGoneMeanwhile() {
        Page<Thing> first = part(things(10), null, null, NOW);
        List<Thing> without = things(10).stream().filter(t -> !t.name().equals("t03")).toList();

        Page<Thing> second = part(without, null, first.next(), NOW.plusSeconds(60));

        assertThat(names(first)).endsWith("t03");
        assertThat(names(second)).containsExactly("t04", "t05", "t06", "t07");
    }

    @Test
    void whatIsNotKnownComesLastInEitherDirection() {
        List<Thing> some =
                List.of(new Thing("a", 0, null), new Thing("b", 0, NOW), new Thing("c", 0, null));

        assertThat(names(part(some, "since", null, NOW))).containsExactly("b", "a", "c");
        assertThat(names(part(some, "-since", null, NOW))).containsExactly("b", "a", "c");
        Page<Thing> first =
                new Part(2, null, "since", "query").of(at(NOW), Thing.class, some, "name", "name");
        assertThat(names(part(some, "since", first.next(), NOW))).containsExactly("c");
    }

    @Test
    void aPlaceGrowsTooOld() {
        String next = Objects.requireNonNull(part(things(10), null, null, NOW).next());

        assertThat(names(part(things(10), null, next, NOW.plus(Continue.LIFE)))).hasSize(4);
        assertThatThrownBy(
                        () -> part(things(10), null, next, NOW.plus(Continue.LIFE).plusSeconds(1)))
                .isInstanceOfSatisfying(
                        Refusal.class, r -> assertThat(r.problem().status().value()).isEqualTo(410))
                .hasMessageContaining("Begin again without continue");
    }

    @Test
    void aPlaceOfAnotherListIsRefused() {
        String next = Objects.requireNonNull(part(things(10), null, null, NOW).next());

        assertThatThrownBy(
                        () ->
                                new Part(4, next, null, "another")
                                        .of(at(NOW), Thing.class, things(10), "name", "name"))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("It belongs to another list");
        for (String made : new String[] {"x", "W10", "bm9uZQ", "WzEsInF1ZXJ5Iiwibm90Il0", "ÿ"}) {
            assertThatThrownBy(() -> part(things(10), null, made, NOW))
                    .as(made)
                    .isInstanceOf(Refusal.class);
        }
    }

    @Test
    void anUnknownFieldIsRefusedWithThoseThatAreKnown() {
        assertThatThrownBy(() -> part(things(1), "size", null, NOW))
                .hasMessage("\"size\" is not known; known are name, used, since.");
        assertThatThrownBy(() -> part(things(1), "name.first", null, NOW))
                .hasMessage("\"name.first\" is not known: there is nothing below.");
        assertThatThrownBy(() -> new Part(0, null, null, "query"))
                .hasMessageContaining("allowed is 1 to 5000");
    }
}
