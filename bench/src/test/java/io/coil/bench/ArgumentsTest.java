package io.coil.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;

class ArgumentsTest {
    private final StringWriter said = new StringWriter();

    private int execute(String arguments) {
        CommandLine bench = Bench.commandLine();
        bench.setErr(new PrintWriter(said, true));
        bench.setOut(new PrintWriter(said, true));
        return bench.execute(arguments.isEmpty() ? new String[0] : arguments.split(" "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "storm --nodes",
                "storm --nodes many",
                "storm --nodes 0",
                "storm --nodes 1000000",
                "storm --pools 0",
                "storm --pools 65",
                "storm --rounds 0",
                "storm --connections 0",
                "storm --seconds 0",
                "storm --kubeconfig /there/is/no/such/file",
                "orphans --blocks 0",
                "orphans --blocks 4 --per-node 5",
                "orphans --kubeconfig /there/is/no/such/file"
            })
    void whatCannotBeMeantIsRefusedBeforeAnythingIsMade(String arguments) {
        assertThat(execute(arguments)).isEqualTo(2);
        assertThat(said.toString()).contains("Usage: coil bench");
    }

    @Test
    void aCommandThatIsNotThereIsRefusedWithAGuess() {
        assertThat(execute("strom")).isEqualTo(2);
        assertThat(said.toString()).contains("coil bench storm");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "storm --help", "orphans --help", "jmh --help"})
    void everyCommandExplainsItself(String arguments) {
        assertThat(execute(arguments)).isZero();
        assertThat(said.toString()).contains("Usage: coil bench");
    }
}
