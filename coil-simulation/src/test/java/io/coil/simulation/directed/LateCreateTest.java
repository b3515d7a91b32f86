package io.coil.simulation.directed;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.kubernetes.api.Kinds;
import io.coil.simulation.api.Call.Verb;
import io.coil.simulation.check.Facts;
import io.coil.simulation.fault.Act;
import io.coil.simulation.fault.Decision.Kind;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/** A block that is made when its pool has gone (seed 1758). */
class LateCreateTest {

    @Test
    @DisplayName(
            "A11: a create that comes when its pool was made anew with smaller blocks overlaps one"
                    + " of those: nobody uses it, and it goes")
    void nobodyUsesItAndItGoes() {
        try (Stage stage = new Stage(1)) {
            stage.pool("default", 2).node("n1").node("n2").controller("controller-a");
            stage.befall(
                    "controller-a",
                    call -> call.is(Verb.CREATE, Kinds.BLOCKS),
                    Kind.LATE,
                    Duration.ofMinutes(1));
            stage.pod("first", "n1");
            stage.runUntil("it was asked for", () -> !stage.facts().requests().isEmpty());
            stage.run(Duration.ofSeconds(1)).deletePod("first");

            stage.perform(Act.DELETE_POOL, "default", 0);
            stage.runUntil("the pool has gone", () -> stage.facts().pool("default") == null);
            stage.perform(Act.DELETE_REQUEST, "", 0).pool("default", 0);
            stage.pod("second", "n1").runUntil("it runs", () -> stage.runs("second"));
            stage.pod("third", "n2").runUntil("it runs", () -> stage.runs("third"));
            stage.deletePod("second");
            stage.runUntil("one is left", () -> stage.facts().blocks().size() == 1);
            Facts.Block small = stage.facts().blocks().iterator().next();

            stage.runUntil(
                    "the late one overlaps it",
                    () ->
                            stage.facts().blocks().stream()
                                    .anyMatch(b -> b.late() && b.overlaps(small)));
            stage.pod("fourth", "n1").runUntil("it runs", () -> stage.runs("fourth"));
            stage.settle();

            assertThat(stage.violation()).as(() -> String.join("\n", stage.trace())).isNull();
            assertThat(stage.runs("third")).isTrue();
            assertThat(stage.facts().blocks()).noneMatch(Facts.Block::late);
        }
    }
}
