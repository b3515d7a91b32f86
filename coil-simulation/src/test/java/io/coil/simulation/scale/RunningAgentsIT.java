package io.coil.simulation.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.kubernetes.api.Kinds;
import io.coil.simulation.api.Call;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;

/**
 * As many agents as a large cluster has, and the controller, in virtual time, with the settings
 * that they are shipped with. So a second is a second, and twenty minutes take none.
 */
class RunningAgentsIT {
    /** Of the thousand that the limit is for: with them the test takes minutes. */
    private static final int AGENTS = Integer.getInteger("coil.agents", 300);

    /** Ten a second for a thousand, as many fewer as there are fewer agents. */
    private static final int LISTS_A_SECOND = 10 * AGENTS / 1_000;

    @Test
    @DisplayName(
            "G6: 300 running agents of 1,000, no restart: at most 3 list calls/s of 10 at peak, none of"
                    + " all pods or all blocks")
    void g6RunningAgentsListNothing() throws Exception {
        List<Crowd.Listing> listings = inVirtualThread(RunningAgentsIT::halfAnHour);

        Map<Long, Long> perSecond =
                listings.stream()
                        .collect(
                                Collectors.groupingBy(
                                        l -> l.at().toSeconds(), Collectors.counting()));
        assertThat(perSecond.values()).as("lists in a second").allMatch(n -> n <= LISTS_A_SECOND);
        assertThat(listings)
                .as("lists of all pods, or of all blocks")
                .noneMatch(l -> isOfAll(l.call()));
    }

    /** Every periodic thing comes by several times, and twice everybody wants something at once. */
    private static List<Crowd.Listing> halfAnHour() {
        try (Crowd crowd = new Crowd(AGENTS)) {
            crowd.start();
            assertThat(crowd.runUntil(crowd::allServe, Duration.ofMinutes(5)))
                    .as("all agents serve")
                    .isTrue();
            crowd.listings().clear();

            for (String generation : List.of("first", "second")) {
                crowd.addEverywhere(generation, Duration.ofSeconds(10));
                assertThat(crowd.runUntil(() -> crowd.running() == AGENTS, Duration.ofMinutes(2)))
                        .as("a pod runs on each node")
                        .isTrue();
                crowd.assertInvariants();
                crowd.run(Duration.ofMinutes(12));
                crowd.deleteEverywhere(generation, Duration.ofSeconds(10));
                assertThat(crowd.runUntil(() -> crowd.blocks() == 0, Duration.ofMinutes(3)))
                        .as("all blocks go back")
                        .isTrue();
            }
            assertThat(crowd.grants()).isEqualTo(2L * AGENTS);
            return List.copyOf(crowd.listings());
        }
    }

    private static boolean isOfAll(Call call) {
        return call.kind().equals(Kinds.PODS)
                || (call.kind().equals(Kinds.BLOCKS) && call.object().equals("*"));
    }

    /**
     * Tasks of a simulation change places thirty times faster if the scheduler is one of their
     * kind.
     */
    private static <T> T inVirtualThread(Callable<T> what) throws Exception {
        FutureTask<T> task = new FutureTask<>(what);
        Thread.ofVirtual().name("scheduler").start(task);
        return task.get();
    }
}
