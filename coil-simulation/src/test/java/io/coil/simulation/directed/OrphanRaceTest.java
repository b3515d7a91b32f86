package io.coil.simulation.directed;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.kubernetes.api.Kinds;
import io.coil.simulation.api.Call.Verb;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/** A trace of the model, played on the real programs. */
class OrphanRaceTest {

    @Test
    @DisplayName(
            "h02: the Node comes back between the controller's look and its DELETE, and its agent"
                    + " assigns: the finalizer stays")
    void h02TheNodeIsReadOnceMoreAfterDelete() {
        try (Stage stage = new Stage(1)) {
            stage.pool("default", 1).node("n1").controller("controller-a").pod("first", "n1");
            stage.runUntil("the first pod runs", () -> stage.runs("first"));
            String block = stage.facts().blocks().iterator().next().name();

            Hold delete =
                    stage.holdBefore("controller-a", call -> call.is(Verb.DELETE, Kinds.BLOCKS));
            stage.dies("n1").runUntil(delete);

            stage.node("n1").pod("second", "n1");
            stage.runUntil("the second pod runs", () -> stage.runs("second"));
            delete.release();
            stage.runUntil(
                    "the block is being deleted",
                    () -> stage.facts().blocks().stream().anyMatch(b -> b.deleting()));
            stage.run(Duration.ofMinutes(3));

            assertThat(stage.facts().blocks()).extracting(b -> b.name()).contains(block);
            assertThat(stage.runs("second")).isTrue();
            assertThat(stage.violation()).as(() -> String.join("\n", stage.trace())).isNull();

            stage.deletePod("second").settle();
            assertThat(stage.violation()).as(() -> String.join("\n", stage.trace())).isNull();
            assertThat(stage.facts().blocks()).isEmpty();
        }
    }
}
