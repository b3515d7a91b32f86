package io.coil.sandbox.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.sandbox.Sandbox;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Every command that the manual shows is run as it stands there, and does its work. */
@ExtendWith(SharedSandbox.class)
class ManualCommandsIT {
    private static final Pattern COMMANDS = Pattern.compile("(?ms)^```sh\\n(.*?)^```");

    @TempDir private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"rest.md", "cli.md"})
    void theCommandsOfThePageWork(String page, Operator operator) throws Exception {
        beside(operator.sandbox());
        String text = Files.readString(Path.of("../docs", page));
        List<String> blocks =
                COMMANDS.matcher(text).results().map((MatchResult m) -> m.group(1)).toList();
        assertThat(blocks).hasSizeGreaterThan(1);
        StringBuilder settings = new StringBuilder();

        for (String block : blocks) {
            if (block.startsWith("export ")) {
                settings.append(block);
                continue;
            }
            assertThat(run(settings + block)).as(block).isNotBlank();
        }
        operator.assertInvariants();
    }

    /** What lies beside a sandbox that somebody started by hand. */
    private void beside(Sandbox sandbox) throws IOException {
        Path files = Files.createDirectories(directory.resolve(".sandbox"));
        String url = sandbox.adminUrl().toString();
        Files.writeString(files.resolve("admin.url"), url);
        Files.writeString(files.resolve("admin.token"), sandbox.server().adminToken());
        Path coil = directory.resolve("coil");
        Files.writeString(
                coil,
                "#!/bin/sh\nexec '%s' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '%s' io.coil.cli.Cli \"$@\"\n"
                        .formatted(
                                Path.of(System.getProperty("java.home"), "bin", "java"),
                                System.getProperty("java.class.path")));
        assertThat(coil.toFile().setExecutable(true)).isTrue();
    }

    private String run(String commands) throws IOException, InterruptedException {
        Process shell =
                new ProcessBuilder("bash", "-euo", "pipefail", "-c", commands)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .start();
        shell.getOutputStream().close();
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(shell.exitValue()).as("%s\n%s", commands, said).isZero();
        return said;
    }
}
