package io.coil.apiserver.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.lifecycle.TestServer;
import io.coil.apiserver.storage.Storage;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** A process that is killed in the middle of writing. */
class KillIT {
    @TempDir private Path directory;

    /** The process: creates objects for ever and says so after each. */
    static final class Writer {
        private Writer() {}

        public static void main(String[] args) {
            Path directory = Path.of(args[0]);
            TestServer server =
                    new TestServer(
                            clock ->
                                    Storage.inDirectory(
                                            directory, false, clock, new SplittableRandom(1)));
            for (int i = 0; ; i++) {
                server.widget("w" + i);
                System.out.println("w" + i);
            }
        }
    }

    @RepeatedTest(2)
    void nothingThatWasAnsweredIsLost() throws Exception {
        Process writer =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Writer.class.getName(),
                                directory.toString())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        List<String> answered = new ArrayList<>();
        try (BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(writer.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                answered.add(line);
                if (answered.size() == 300) {
                    writer.toHandle().destroyForcibly();
                }
            }
        }
        assertThat(writer.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(answered).hasSizeGreaterThanOrEqualTo(300);

        try (Storage after =
                Storage.inDirectory(
                        directory, false, InstantSource.system(), new SplittableRandom(2))) {
            var type = after.registry().find("example.io", "v1", "widgets").orElseThrow();
            assertThat(TestServer.names(after.operations().list(type, null, TestServer.all())))
                    .containsAll(answered.subList(0, answered.size() - 1));
        }
    }
}
