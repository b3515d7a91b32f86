package io.coil.bench.orphans;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.bench.api.Target;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Selection;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

class OrphanRunIT {
    @Test
    void orphansAreDeletedAndCountedAndNothingIsLeft() throws IOException, InterruptedException {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (Target target = Target.open(null)) {
            boolean well =
                    new OrphanRun(
                                    new OrphansPlan(10, 5, 1, Duration.ofSeconds(30)),
                                    target,
                                    new PrintStream(said, true, StandardCharsets.UTF_8))
                            .run();

            assertThat(well).as(said.toString(StandardCharsets.UTF_8)).isTrue();
            assertThat(said.toString(StandardCharsets.UTF_8))
                    .contains("delete addressblocks            1.00", "Swept: nothing is left.");
            assertThat(target.client("tester").list(Kinds.BLOCKS, Selection.ALL).items()).isEmpty();
        }
    }
}
