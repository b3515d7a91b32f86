package io.coil.sandbox;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;

/** A sandbox on somebody's terminal: says where everything is, and ends when it is told to. */
final class Foreground {
    private final SandboxSettings settings;
    private final Console console;

    Foreground(SandboxSettings settings, Console console) {
        this.settings = settings;
        this.console = console;
    }

    void run() throws CannotStart, InterruptedException {
        Sandbox sandbox = Sandbox.start(settings, console);
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> {
                                    console.say("");
                                    console.say("Stopping");
                                    sandbox.close();
                                    console.say("Stopped");
                                    ended.countDown();
                                },
                                "stop"));
        sandbox.awaitReady();
        tellWhere(sandbox);
        ended.await();
    }

    private void tellWhere(Sandbox sandbox) {
        Path directory = Objects.requireNonNull(settings.stateDir());
        console.say("");
        console.say("Coil is ready (%s).".formatted(console.elapsed()));
        console.say("");
        console.say("  Dashboard   " + sandbox.signInLink());
        console.say("  kubectl     export KUBECONFIG=" + shown(directory.resolve("kubeconfig")));
        console.say(
                "  read only   export KUBECONFIG=" + shown(directory.resolve("viewer.kubeconfig")));
        console.say("  log         " + shown(directory.resolve("sandbox.log")));
        console.say("");
        console.say("Ctrl-C ends it; the next start with the same --state-dir goes on from there.");
    }

    private static Path shown(Path path) {
        return path.toAbsolutePath().normalize();
    }
}
