package io.coil.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs the real kubectl against a server. */
final class Kubectl {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private final Path directory;
    private final Path kubeconfig;

    Kubectl(Path directory, String kubeconfig) {
        try {
            this.directory = directory;
            this.kubeconfig =
                    Files.writeString(Files.createTempFile(directory, "kube", ".yaml"), kubeconfig);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether there is ours, or one on this machine's PATH. */
    static boolean installed() {
        return Programs.find().isPresent()
                || Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, "kubectl")));
    }

    /**
     * @param out standard output and error
     */
    record Result(int code, String out) {
        Result expectSuccess() {
            if (code != 0) {
                throw new AssertionError("kubectl failed with " + code + ":\n" + out);
            }
            return this;
        }
    }

    /** The output of a call that must succeed. */
    String ok(String... arguments) {
        return run(arguments).expectSuccess().out();
    }

    Result run(String... arguments) {
        return runWithInput("", arguments);
    }

    Result runWithInput(String input, String... arguments) {
        Path out = null;
        try {
            out = Files.createTempFile(directory, "out", ".txt");
            Process process = start(out, arguments);
            try (var stdin = process.getOutputStream()) {
                stdin.write(input.getBytes(StandardCharsets.UTF_8));
            }
            if (!process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(
                        "kubectl " + List.of(arguments) + " hangs:\n" + Files.readString(out));
            }
            return new Result(process.exitValue(), Files.readString(out));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Starts a call that goes on; the caller ends it. */
    Process start(Path out, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(Programs.kubectl());
        command.add("--kubeconfig");
        command.add(kubeconfig.toString());
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
        // Its cache of what the server serves must not outlive the server.
        builder.environment().put("KUBECACHEDIR", directory.resolve("cache").toString());
        builder.environment().put("HOME", directory.toString());
        return builder.start();
    }
}
