package io.coil.simulation.directed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/** What is asked of an agent that stands still (seeds 3571 and 4656). */
class FrozenAgentTest {

    @Test
    @DisplayName("9: a DEL that came while the agent stood still is answered when it goes on")
    void delIsAnsweredAfterwards() {
        try (Stage stage = new Stage(1)) {
            stage.pool("default", 1).node("n1").controller("controller-a").pod("first", "n1");
            stage.runUntil("the pod runs", () -> stage.runs("first"));

            stage.freeze("n1-agent", Duration.ofMinutes(1)).deletePod("first");
            stage.run(Duration.ofSeconds(20)).settle();

            assertThat(stage.violation()).as(() -> String.join("\n", stage.trace())).isNull();
            assertThat(stage.facts().blocks()).isEmpty();
        }
    }
}
