package io.coil.admin.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.NodeBlockUsage;
import io.coil.kubernetes.resource.RunItem;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

class RunViewsTest {
    private static final Instant NOW = Sight.NOW;

    private static GarbageCollection run(
            String name, boolean dryRun, @Nullable String plan, @Nullable Instant finished) {
        GarbageCollection.Status status =
                finished == null
                        ? null
                        : new GarbageCollection.Status(
                                "Completed",
                                null,
                                0,
                                0,
                                0,
                                0,
                                List.of(),
                                0,
                                List.of("n1"),
                                List.of(),
                                Sight.at(finished.minusSeconds(3)),
                                Sight.at(finished));
        return new GarbageCollection(
                Names.OPS_API,
                "GarbageCollection",
                new V1ObjectMeta()
                        .name(name)
                        .uid("uid-" + name)
                        .creationTimestamp(Sight.at(NOW.minusSeconds(60))),
                new GarbageCollection.Spec(null, null, null, dryRun, plan, "why"),
                status);
    }

    private static RunItem item(String name, String outcome) {
        return new RunItem(
                "surplus-block",
                "Block",
                name,
                null,
                name,
                "default",
                "n1",
                "seen",
                5,
                outcome,
                null);
    }

    private static RunView only(Map<String, RunView> views, String name) {
        return Objects.requireNonNull(views.get(name));
    }

    @Test
    void whileItRunsTheAnswersOfNodesCount() {
        NodeBlockUsage usage =
                new NodeBlockUsage(
                        Names.OPS_API,
                        "NodeBlockUsage",
                        new V1ObjectMeta().name("n1"),
                        null,
                        List.of(
                                new NodeBlockUsage.Run(
                                        "run-1",
                                        "uid-run-1",
                                        NodeBlockUsage.Run.RUNNING,
                                        2,
                                        1,
                                        0,
                                        List.of(
                                                item("default-0", RunItem.DONE),
                                                item("default-1", RunItem.PLANNED)),
                                        0)));

        RunView view =
                only(
                        RunViews.of(List.of(run("run-1", false, null, null)), List.of(usage)),
                        "run-1");

        assertThat(view.phase()).isEqualTo(RunView.Phase.WAITING);
        assertThat(view.found()).isEqualTo(2);
        assertThat(view.done()).isEqualTo(1);
        assertThat(view.items())
                .extracting(RunItem::name)
                .containsExactly("default-0", "default-1");
    }

    @Test
    void aPlanCanBeAppliedOnceAndForHalfAnHour() {
        Instant finished = NOW.minus(Duration.ofMinutes(29));
        Map<String, RunView> fresh =
                RunViews.of(List.of(run("plan-1", true, null, finished)), List.of());
        assertThat(only(fresh, "plan-1").applicable(NOW)).isTrue();
        assertThat(only(fresh, "plan-1").applicable(NOW.plusSeconds(120))).isFalse();

        Map<String, RunView> applied =
                RunViews.of(
                        List.of(
                                run("plan-1", true, null, finished),
                                run("apply-1", false, "plan-1", null)),
                        List.of());
        assertThat(only(applied, "plan-1").appliedBy()).isEqualTo("apply-1");
        assertThat(only(applied, "plan-1").applicable(NOW)).isFalse();
    }

    @Test
    void aRunThatDidSomethingIsNoPlan() {
        RunView view =
                only(RunViews.of(List.of(run("run-1", false, null, NOW)), List.of()), "run-1");

        assertThat(view.over()).isTrue();
        assertThat(view.applicable(NOW)).isFalse();
    }
}
