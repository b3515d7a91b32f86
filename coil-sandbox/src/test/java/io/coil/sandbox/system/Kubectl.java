package io.coil.sandbox.system;

import io.coil.testing.Programs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The real kubectl: of the version that the real kube-apiserver has, where that was built. */
final class Kubectl {
    private static final Duration LONGEST = Duration.ofMinutes(2);

    /** How a command ended: both outputs together. */
    record Outcome(int exitCode, String output) {
        List<String> lines() {
            return output.lines()
                    .filter(l -> !l.isBlank() && !l.startsWith("No resources"))
                    .toList();
        }
    }

    private final Path kubeconfig;

    Kubectl(Path kubeconfig) {
        this.kubeconfig = kubeconfig;
    }

    static boolean installed() {
        try {
            List<String> command = new ArrayList<>(Programs.kubectl());
            command.addAll(List.of("version", "--client"));
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Runs it; a failure is an error. */
    Outcome run(String... arguments) throws IOException, InterruptedException {
        Outcome outcome = attempt("", arguments);
        if (outcome.exitCode() != 0) {
            throw new AssertionError(
                    "kubectl %s: %s".formatted(String.join(" ", arguments), outcome.output()));
        }
        return outcome;
    }

    Outcome apply(String yaml) throws IOException, InterruptedException {
        Outcome outcome = attempt(yaml, "apply", "-f", "-");
        if (outcome.exitCode() != 0) {
            throw new AssertionError("kubectl apply: " + outcome.output());
        }
        return outcome;
    }

    Outcome attempt(String input, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(Programs.kubectl());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        Path file = Files.createTempFile("kubectl", ".in");
        try {
            Files.writeString(file, input);
            Process process = builder.redirectInput(file.toFile()).start();
            String output;
            try (InputStream in = process.getInputStream()) {
                output = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
            if (!process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("kubectl does not end: " + command);
            }
            return new Outcome(process.exitValue(), output);
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
