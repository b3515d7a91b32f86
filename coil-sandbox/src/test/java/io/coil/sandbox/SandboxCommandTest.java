package io.coil.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.sandbox.setup.StateDirectory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;

/** What keeps a sandbox from starting is said in one line, and nothing is left of the try. */
class SandboxCommandTest {
    @TempDir private Path directory;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void aPortThatIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Path state = directory.resolve("state");

            int code =
                    run(
                            "--api-port=" + taken.getLocalPort(),
                            "--admin-port=0",
                            "--state-dir=" + state);

            assertThat(code).isEqualTo(1);
            assertThat(err.toString().lines())
                    .singleElement()
                    .asString()
                    .contains("port " + taken.getLocalPort() + " is in use", "--api-port");
            assertThat(out.toString()).isEmpty();
            assertThat(state).doesNotExist();
        }
    }

    @Test
    void aStateDirectoryThatAnotherSandboxHas() throws Exception {
        try (StateDirectory held = StateDirectory.take(directory)) {
            int code = run("--api-port=0", "--admin-port=0", "--state-dir=" + held.path());

            assertThat(code).isEqualTo(1);
            assertThat(err.toString().lines())
                    .singleElement()
                    .asString()
                    .contains("another sandbox", "--state-dir");
            assertThat(out.toString()).isEmpty();
        }
    }

    @Test
    void aNumberOfNodesThatIsNotPossible() {
        assertThat(run("--nodes=999")).isEqualTo(2);
        assertThat(err.toString()).contains("--nodes is 999: allowed is 0 to 200");
    }

    @Test
    void faultsOfASandboxThatWasNeverStarted() {
        assertThat(run("fault", "list", "--state-dir=" + directory)).isEqualTo(1);
        assertThat(err.toString().lines()).singleElement().asString().contains("--state-dir");
    }

    private int run(String... arguments) {
        CommandLine command = new CommandLine(new SandboxCommand());
        return command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
    }
}
