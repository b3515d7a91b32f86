package io.coil.simulation.directed;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.RunItem;
import io.coil.simulation.fault.Act;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Objects;

/** A collection that is asked for while an agent starts. */
class RunWaitsTest {
    private static final String RUN = "run-1";

    private final Stage stage = new Stage(1);

    @Test
    @DisplayName(
            "B9d: a run waits until the agent has rebuilt, then finds what is surplus, and leaves"
                    + " what is used")
    void b9ARunWaitsUntilTheAgentHasRebuilt() {
        try (stage) {
            stage.node("n1").controller("controller-a").run(Duration.ofSeconds(5));
            stage.pool("default", 1).pod("first", "n1");
            stage.runUntil("the pod runs", () -> stage.runs("first"));
            Hold rebuild = stage.holdKernel("n1-agent", what -> what.equals("reads links"));
            stage.kill("n1-agent", Duration.ofSeconds(1));
            stage.perform(Act.FOREIGN_BLOCK, "default", 1).perform(Act.COLLECT, "", 2);
            stage.runUntil(rebuild);

            stage.run(Duration.ofSeconds(15));
            assertThat(run().finished()).isFalse();
            assertThat(status().unanswered()).containsExactly("n1");
            assertThat(stage.facts().blocks()).hasSize(2).noneMatch(b -> b.deleting());

            rebuild.release();
            stage.runUntil("the run is over", () -> run().finished());

            assertThat(status().phase()).isEqualTo(GarbageCollection.Status.COMPLETED);
            assertThat(status().unanswered()).isNullOrEmpty();
            assertThat(Objects.requireNonNull(status().items()))
                    .extracting(RunItem::rule)
                    .containsExactly("surplus-block");
            assertThat(stage.runs("first")).isTrue();
            stage.settle();
            assertThat(stage.violation()).as(() -> String.join("\n", stage.trace())).isNull();
            assertThat(stage.facts().blocks()).hasSize(1);
        }
    }

    private GarbageCollection run() {
        return stage.api().get(Kinds.COLLECTIONS, null, RUN).orElseThrow();
    }

    private GarbageCollection.Status status() {
        return Objects.requireNonNull(run().status());
    }
}
