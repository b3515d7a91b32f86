package io.coil.sandbox.system;

import io.coil.sandbox.Console;
import io.coil.sandbox.Sandbox;
import io.coil.sandbox.SandboxSettings;
import io.coil.sandbox.cluster.KubeletSettings;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Hands tests an {@link Operator} of one sandbox with short waits, started once for all of them;
 * after each test what it left is cleared away.
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

    private record Started(Sandbox sandbox, Operator operator) implements AutoCloseable {
        @Override
        public void close() {
            sandbox.close();
        }
    }

    /** A sandbox that says nothing. */
    static Sandbox start(SandboxSettings settings) throws Exception {
        Sandbox sandbox =
                Sandbox.start(
                        settings,
                        new Console(
                                new PrintWriter(
                                        OutputStream.nullOutputStream(),
                                        false,
                                        StandardCharsets.UTF_8)));
        sandbox.awaitReady();
        return sandbox;
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
        return context.getRoot()
                .getStore(OURS)
                .computeIfAbsent(
                        Started.class,
                        key -> {
                            try {
                                Sandbox sandbox = start(SHORT);
                                return new Started(sandbox, new Operator(sandbox));
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        Started.class);
    }
}
