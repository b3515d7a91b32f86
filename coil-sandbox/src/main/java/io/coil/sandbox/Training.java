package io.coil.sandbox;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/**
 * A short life: starts everything, looks at the dashboard, ends. The JVM notes meanwhile which
 * classes a start needs, and keeps them ready for the next ones.
 */
final class Training {
    private Training() {}

    static void run(SandboxSettings wanted, Console console)
            throws CannotStart, InterruptedException {
        SandboxSettings settings = SandboxSettings.quiet(wanted.workers());
        try (Sandbox sandbox = Sandbox.start(settings, console);
                HttpClient http = HttpClient.newHttpClient()) {
            sandbox.awaitReady();
            http.send(
                    HttpRequest.newBuilder(sandbox.adminUrl()).build(),
                    HttpResponse.BodyHandlers.discarding());
        } catch (IOException e) {
            throw new CannotStart("the dashboard did not answer: " + e.getMessage());
        }
    }
}
