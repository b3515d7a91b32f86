package io.coil.simulation.directed;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.core.net.Cidr;
import io.coil.simulation.check.Facts;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** An agent begins while it cannot reach the API: a minute is a minute, in virtual time. */
class ApiAwayTest {
    private static final Duration AWAY = Duration.ofSeconds(60);

    @Test
    @DisplayName("B9c: an agent restarts with two pods while the API is away for 60 s")
    void b9c() {
        try (Stage stage = new Stage(9)) {
            stage.pool("default", 1)
                    .controller("controller-a")
                    .node("n1")
                    .pod("p1", "n1")
                    .pod("p2", "n1")
                    .runUntil("both pods run", () -> stage.runs("p1") && stage.runs("p2"));
            List<Facts.Block> blocks = List.copyOf(stage.facts().blocks());
            Set<Cidr> routes = Set.copyOf(stage.machine("n1").routes());
            assertThat(blocks).hasSize(1);
            assertThat(routes).hasSize(1);

            stage.cutOff("n1-agent", AWAY).kill("n1-agent", Duration.ofSeconds(1));
            for (int second = 0; second < AWAY.toSeconds(); second++) {
                stage.run(Duration.ofSeconds(1));
                assertThat(stage.facts().blocks()).containsExactlyElementsOf(blocks);
                assertThat(stage.machine("n1").routes()).isEqualTo(routes);
                assertThat(stage.machine("n1").links()).hasSize(2);
            }
            stage.pod("p3", "n1").runUntil("the agent serves again", () -> stage.runs("p3"));

            assertThat(stage.facts().blocks()).containsAll(blocks);
            assertThat(stage.machine("n1").routes()).containsAll(routes);
            assertThat(stage.runs("p1") && stage.runs("p2")).isTrue();
            stage.settle();
            assertThat(stage.violation()).isNull();
        }
    }
}
