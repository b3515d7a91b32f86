package io.coil.simulation.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;

class SimulateCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(String... arguments) {
        return new CommandLine(new SimulateCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--nodes 0       | --nodes: 0 is not within 1 to 20",
                "--pods 201      | --pods: 201 is not within 0 to 200",
                "--faults 600    | --faults: 600 is not within 0 to 500",
                "--seeds 0       | --seeds: 1 to 100000000",
                "--jobs 0        | --jobs: 1 to 64",
                "--keep 3        | --keep and --shrink go with --seed",
                "--seed 1 --keep x | --keep: write it as 0,3,7-9",
                "--seeds many    | 'many' is not a long"
            })
    @DisplayName("a wrong option is told in a line, with exit code 2")
    void wrongOptions(String arguments, String message) {
        assertThat(execute(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }

    @Test
    @DisplayName("a replay shows what was decided, what happened, and how to do it again")
    void replay() {
        int code = execute("--seed", "7", "--steps", "5", "--pods", "3");

        assertThat(code).isZero();
        assertThat(out.toString())
                .contains("at 0.000 s: node n1")
                .containsPattern("n\\d-agent +CREATE blockrequests/")
                .contains("Every invariant held.")
                .contains("./coil simulate --seed 7 --nodes 3 --pods 3 --steps 5 --faults 40");
    }

    @Test
    @DisplayName("only the decisions that are kept happen")
    void keep() {
        execute("--seed", "7", "--steps", "5", "--pods", "3", "--keep", "0-2");

        assertThat(out.toString()).contains("n1-agent").doesNotContain("n3-agent");
    }
}
