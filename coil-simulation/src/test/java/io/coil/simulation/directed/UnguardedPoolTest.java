package io.coil.simulation.directed;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.kubernetes.api.Kinds;
import io.coil.simulation.api.Call.Verb;
import io.coil.simulation.fault.Act;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Objects;

/** A pool that was made while the webhook was away has no finalizer at first. */
class UnguardedPoolTest {

    @Test
    @DisplayName(
            "D2: a pool without the finalizer, which the controller does not see yet, is granted"
                    + " from and deleted: it stays under its container")
    void itStaysWhileABlockOfItIsUsed() {
        try (Stage stage = new Stage(1)) {
            stage.node("n1").controller("controller-a").run(Duration.ofSeconds(10));
            stage.blind("controller-a", Duration.ofMinutes(2));
            stage.perform(Act.WEBHOOK_AWAY, "", 1_000).pool("default", 1).pod("first", "n1");
            stage.runUntil("the pod runs", () -> stage.runs("first"));

            stage.perform(Act.DELETE_POOL, "default", 0).run(Duration.ofSeconds(30));

            assertThat(stage.violation()).as(() -> String.join("\n", stage.trace())).isNull();
            assertThat(stage.runs("first")).isTrue();
            assertThat(Objects.requireNonNull(stage.facts().pool("default")).deleting()).isTrue();
            stage.deletePod("first").settle();
            assertThat(stage.violation()).as(() -> String.join("\n", stage.trace())).isNull();
            assertThat(stage.facts().pool("default")).isNull();
        }
    }

    @Test
    @DisplayName("D3: a pool without the finalizer goes just when a grant puts it on: no block")
    void itGoesBeforeTheGrantHasPutItOn() {
        try (Stage stage = new Stage(1)) {
            stage.node("n1").controller("controller-a").run(Duration.ofSeconds(10));
            stage.blind("controller-a", Duration.ofMinutes(2));
            Hold patch = stage.holdBefore("controller-a", call -> call.is(Verb.PATCH, Kinds.POOLS));
            stage.perform(Act.WEBHOOK_AWAY, "", 1_000).pool("default", 1).pod("first", "n1");
            stage.runUntil(patch);

            stage.perform(Act.DELETE_POOL, "default", 0);
            patch.release();
            stage.run(Duration.ofMinutes(1));

            assertThat(stage.facts().pool("default")).isNull();
            assertThat(stage.facts().granted()).isZero();
            stage.deletePod("first").settle();
            assertThat(stage.violation()).as(() -> String.join("\n", stage.trace())).isNull();
        }
    }
}
