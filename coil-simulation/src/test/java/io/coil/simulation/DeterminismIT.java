package io.coil.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** What a JVM salts anew at each start (hash orders, identity hash codes) moves no run. */
class DeterminismIT {
    private static final int SEEDS = 6;

    @Test
    @DisplayName("the same seeds give the same traces in two JVMs")
    void sameInEveryJvm() throws IOException, InterruptedException {
        Process one = start();
        Process other = start();

        assertThat(read(one)).hasSize(64).isEqualTo(read(other));
    }

    private static Process start() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Djdk.virtualThreadScheduler.parallelism=1",
                        "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TraceHash.class.getName(),
                        Integer.toString(SEEDS))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String read(Process process) throws IOException, InterruptedException {
        String text =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor()).isZero();
        return text;
    }
}
