package io.coil.sandbox.system;

import io.coil.apiserver.ApiEndpoint;
import io.coil.sandbox.Console;
import io.coil.sandbox.Sandbox;
import io.coil.sandbox.SandboxSettings;
import io.coil.sandbox.cluster.KubeletSettings;
import io.coil.sandbox.program.Webhooks;
import io.coil.testing.Servers;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Hands tests an {@link Operator} of one sandbox with short waits, started once for all of them, or
 * once for each server where a test class is {@link OnServer}; after each test what it left is
 * cleared away.
 */
final class SharedSandbox implements ParameterResolver, AfterEachCallback {
    private static final ExtensionContext.Namespace OURS =
            ExtensionContext.Namespace.create(SharedSandbox.class);

    static final SandboxSettings SHORT =
            SandboxSettings.quiet(2)
                    .withKubelet(
                            KubeletSettings.DEFAULTS.withRetry(
                                    Duration.ofMillis(100), Duration.ofMillis(500)))
                    .with("coil.agent.add-wait", "500ms")
                    .with("coil.agent.demand-hold", "2s")
                    .with("coil.agent.linger", "2s")
                    .with("coil.agent.grace", "2s")
                    .with("coil.agent.collection-interval", "1s")
                    .with("coil.agent.report-interval", "1s")
                    .with("coil.agent.request-poll", "500ms")
                    .with("coil.controller.node-grace", "2s")
                    .with("coil.controller.collection-interval", "1s")
                    .with("coil.controller.request-poll", "500ms")
                    .with("coil.controller.pool-status-interval", "200ms")
                    .with("coil.controller.run-deadline", "10s")
                    .with("coil.controller.lease-duration", "3s")
                    .with("coil.controller.lease-renew-deadline", "2s")
                    .with("coil.controller.lease-retry", "200ms");

    /**
     * @param around what the sandbox itself does not close
     */
    private record Started(Sandbox sandbox, Operator operator, List<Closeable> around)
            implements AutoCloseable {
        @Override
        public void close() throws IOException {
            sandbox.close();
            for (Closeable each : around) {
                each.close();
            }
        }
    }

    /** A sandbox that says nothing. */
    static Sandbox start(SandboxSettings settings) throws Exception {
        Sandbox sandbox = Sandbox.start(settings, quiet());
        sandbox.awaitReady();
        return sandbox;
    }

    private static Console quiet() {
        return new Console(
                new PrintWriter(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    }

    private static Started start(Servers on) throws Exception {
        if (on == Servers.IN_JVM) {
            Sandbox sandbox = start(SHORT);
            return new Started(sandbox, new Operator(sandbox), List.of());
        }
        ApiEndpoint server = on.open(builder -> builder);
        List<Closeable> around = new ArrayList<>();
        Function<Webhooks, URI> gateway =
                webhooks -> {
                    WebhookGateway opened = WebhookGateway.open(webhooks::next);
                    around.add(opened);
                    return opened.url();
                };
        Sandbox sandbox = Sandbox.start(SHORT, quiet(), new Sandbox.Elsewhere(server, gateway));
        around.add(server::close);
        sandbox.awaitReady();
        return new Started(sandbox, new Operator(sandbox), around);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Operator.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return started(context).operator();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        started(context).operator().clearUp();
    }

    private static Started started(ExtensionContext context) {
        Servers on =
                context.getTestInstance()
                        .filter(OnServer.class::isInstance)
                        .map(test -> ((OnServer) test).on())
                        .orElse(Servers.IN_JVM);
        return context.getRoot()
                .getStore(OURS)
                .computeIfAbsent(
                        on,
                        key -> {
                            try {
                                return start(on);
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        Started.class);
    }
}
