package io.coil.sandbox.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.kubernetes.resource.Meta;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * B1a: the fault that started the project, as a person sees it. A node asks while no controller is
 * there. {@link SeedIT} does it fifty times.
 */
@OnBothServers
@ExtendWith(SharedSandbox.class)
class StoryIT implements OnServer {
    private final Servers on;
    private static final Duration POOL_GOES_WITHIN = Duration.ofSeconds(5);

    StoryIT(Servers on) {
        this.on = on;
    }

    @Override
    public Servers on() {
        return on;
    }

    @ParameterizedTest(name = "B1a, seed {0}")
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void oneBlockHoweverLateTheControllerReturns(int seed, Operator operator) {
        Random random = new Random(seed);
        operator.createPool("test-pool", 0, "10.0.0.0/30");
        operator.createNamespace("test-ns", "test-pool");
        operator.scaleControllers(0);
        operator.awaitControllers(0);
        operator.createPod("test-ns", "test-pod", null);

        pass(Duration.ofMillis(100 + random.nextInt(2_000)));
        operator.scaleControllers(1 + random.nextInt(2));

        var pod = operator.awaitReady("test-ns", "test-pod");
        assertThat(pod.getStatus().getPodIP()).startsWith("10.0.0.");
        operator.soon(() -> assertThat(operator.requestsOf("test-pool")).isZero());
        assertThat(operator.blocksOf("test-pool")).hasSize(1);
        operator.assertInvariants();

        operator.deletePod("test-ns", "test-pod");
        operator.soon(() -> assertThat(operator.blocksOf("test-pool")).isEmpty());
        operator.deletePool("test-pool");
        operator.awaitPoolGone("test-pool", POOL_GOES_WITHIN);
        operator.assertInvariants();
    }

    @Test
    @DisplayName("B1a with 8 pools at once")
    void eightPoolsAtOnce(Operator operator) {
        for (int i = 0; i < 8; i++) {
            operator.createPool("pool-" + i, 0, "10.0.%d.0/32".formatted(i));
            operator.createNamespace("ns-" + i, "pool-" + i);
        }
        operator.scaleControllers(0);
        operator.awaitControllers(0);
        for (int i = 0; i < 8; i++) {
            operator.createPod("ns-" + i, "pod", i % 2 == 0 ? Operator.NODE : null);
        }
        pass(Duration.ofSeconds(3));
        operator.scaleControllers(2);

        for (int i = 0; i < 8; i++) {
            operator.awaitReady("ns-" + i, "pod");
        }
        for (int i = 0; i < 8; i++) {
            assertThat(operator.blocksOf("pool-" + i))
                    .singleElement()
                    .satisfies(b -> assertThat(Meta.beingDeleted(b.metadata())).isFalse());
        }
        operator.assertInvariants();

        for (int i = 0; i < 8; i++) {
            operator.deletePod("ns-" + i, "pod");
            operator.deletePool("pool-" + i);
        }
        for (int i = 0; i < 8; i++) {
            operator.awaitPoolGone("pool-" + i, POOL_GOES_WITHIN);
        }
        operator.assertInvariants();
    }

    /** Time that passes while nothing is waited for: the story's own "sleep". */
    private static void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }
}
