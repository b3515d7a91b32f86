package io.coil.simulation.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.simulation.Options;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * Every invariant holds in every run; a run that breaks one is named, with the way to replay it.
 */
class SeedsIT {
    private static final int JOBS = 2;

    private static void holds(long from, long seeds, Options options)
            throws IOException, InterruptedException {
        Workers workers = new Workers(new PrintWriter(new StringWriter()));

        Tally tally = workers.run(from, seeds, JOBS, options);

        assertThat(workers.found())
                .as("seeds that break an invariant; ./coil simulate --seed N %s --shrink", options)
                .isEmpty();
        assertThat(tally.runs()).isEqualTo(seeds);
    }

    @Test
    @DisplayName("500 runs of the usual size")
    void usual() throws IOException, InterruptedException {
        holds(1, 500, Options.STANDARD);
    }

    @Test
    @DisplayName("a few large ones")
    void large() throws IOException, InterruptedException {
        holds(1, 6, new Options(6, 40, 60, 40));
    }
}
