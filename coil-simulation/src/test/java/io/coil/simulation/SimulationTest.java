package io.coil.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A run is a function of its seed. */
class SimulationTest {

    @Test
    @DisplayName("the same seed gives the same trace, whatever ran before")
    void sameSeedSameTrace() {
        for (long seed = 1; seed <= 5; seed++) {
            Outcome first = Simulation.run(seed, Options.STANDARD, null, true);
            Simulation.run(seed + 100, Options.STANDARD);
            Outcome second = Simulation.run(seed, Options.STANDARD, null, true);
            assertThat(second.trace()).as("seed %d", seed).isEqualTo(first.trace());
            assertThat(second.violation()).isEqualTo(first.violation());
        }
    }
}
