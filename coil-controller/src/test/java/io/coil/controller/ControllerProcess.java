package io.coil.controller;

import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;
import io.coil.kubernetes.time.VirtualThreads;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A controller as a process of its own, which a test can kill. */
final class ControllerProcess implements AutoCloseable {
    /**
     * What processes are started from: jars, since the JVM keeps no cache of classes in folders,
     * and that cache; with it a process is up in a third of the time.
     *
     * @param directory where jars, cache and logs lie
     */
    record Ground(Path directory, String classPath, Path kubeconfig) {
        /** Makes both; for the cache a controller runs until it leads, and ends. */
        static Ground prepare(Path directory, Path kubeconfig) {
            Ground ground = new Ground(directory, Jars.classPath(directory), kubeconfig);
            try {
                Process training =
                        ground.start(
                                "training", "-XX:AOTCacheOutput=" + ground.cache(), "TRAINING");
                if (!training.waitFor(LONGEST_TRAINING.toSeconds(), TimeUnit.SECONDS)) {
                    training.destroyForcibly();
                }
                return ground;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }

        private Path cache() {
            return directory.resolve("controller.aot");
        }

        private Process start(String name, String option, String kind) {
            List<String> command =
                    List.of(
                            ProcessHandle.current().info().command().orElseThrow(),
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-Xmx128m",
                            option,
                            "-cp",
                            classPath,
                            ControllerProcess.class.getName(),
                            kind,
                            name);
            ProcessBuilder builder =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(directory.resolve(name + ".log").toFile());
            builder.environment().put("KUBECONFIG", kubeconfig.toString());
            builder.environment().put("POD_NAME", name);
            try {
                return builder.start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** What it is besides a controller. */
    enum Kind {
        /** The program that is shipped. */
        SPRING,
        /** The controller alone: it starts several times as fast. */
        PLAIN
    }

    private static final Duration LONGEST_TRAINING = Duration.ofMinutes(1);
    private static final String[] SETTINGS = {
        "controller.lease-retry", "50ms", "controller.request-poll", "500ms",
    };

    private final Kind kind;

    /** Held: when its standard input is closed, it ends. */
    private final Process process;

    private ControllerProcess(Kind kind, Process process) {
        this.kind = kind;
        this.process = process;
    }

    /**
     * @param name which its identity in the lease begins with
     */
    static ControllerProcess start(Kind kind, String name, Ground ground) {
        return new ControllerProcess(
                kind, ground.start(name, "-XX:AOTCache=" + ground.cache(), kind.name()));
    }

    Kind kind() {
        return kind;
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process: it ends with the test's JVM, however that ends. */
    public static void main(String[] arguments) {
        Thread.ofPlatform().daemon().name("parent").start(ControllerProcess::endWithParent);
        switch (arguments[0]) {
            case "SPRING" -> runProgram();
            case "PLAIN" -> runAlone(arguments[1], false);
            default -> runAlone(arguments[1], true);
        }
    }

    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {
                // nothing comes; the end does
            }
        } catch (IOException e) {
            // as good as the end
        }
        Runtime.getRuntime().halt(1);
    }

    private static void runProgram() {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "--coil.controller.metrics-port=off",
                                "--coil.controller.health-port=off",
                                "--coil.controller.webhook-port=off",
                                "--coil.controller.lease-duration=1s",
                                "--coil.controller.lease-renew-deadline=700ms"));
        for (int i = 0; i < SETTINGS.length; i += 2) {
            arguments.add("--coil." + SETTINGS[i] + "=" + SETTINGS[i + 1]);
        }
        ControllerApplication.main(arguments.toArray(String[]::new));
    }

    private static void runAlone(String name, boolean training) {
        Controller controller =
                new Controller(
                        ClientKubeApi.create(ClientSettings.found(System.getenv(), name)),
                        new VirtualThreads(),
                        Cluster.settings(name + "_alone", SETTINGS),
                        new SimpleMeterRegistry());
        controller.start();
        try {
            if (training) {
                Cluster.within(LONGEST_TRAINING, controller::isGranting);
                controller.stop();
                System.exit(0);
            }
            Thread.currentThread().join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
