package io.coil.sandbox.system;

import io.coil.apiserver.ApiEndpoint;
import io.coil.sandbox.Console;
import io.coil.sandbox.Sandbox;
import io.coil.sandbox.SandboxSettings;
import io.coil.testing.Servers;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/** A sandbox that says nothing, around either server, with what it does not close itself. */
final class StartedSandbox implements Closeable {
    /** Closed last to first. */
    private final Deque<Closeable> open = new ArrayDeque<>();

    private final Operator operator;

    /** Waits until it is ready; nothing of it is left when it does not become so. */
    static StartedSandbox start(SandboxSettings settings, Servers on) throws Exception {
        return new StartedSandbox(settings, on);
    }

    private StartedSandbox(SandboxSettings settings, Servers on) throws Exception {
        boolean started = false;
        try {
            Sandbox sandbox =
                    on == Servers.IN_JVM
                            ? Sandbox.start(settings, quiet())
                            : Sandbox.start(settings, quiet(), elsewhere(on));
            open.push(sandbox::close);
            sandbox.awaitReady();
            operator = new Operator(sandbox);
            started = true;
        } finally {
            if (!started) {
                close();
            }
        }
    }

    private Sandbox.Elsewhere elsewhere(Servers on) {
        ApiEndpoint server = on.open(builder -> builder);
        open.push(server::close);
        return new Sandbox.Elsewhere(
                server,
                webhooks -> {
                    WebhookGateway gateway = WebhookGateway.open(webhooks::next);
                    open.push(gateway);
                    return gateway.url();
                });
    }

    private static Console quiet() {
        return new Console(
                new PrintWriter(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    }

    Operator operator() {
        return operator;
    }

    @Override
    public void close() throws IOException {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }
}
