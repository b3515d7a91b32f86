package io.coil.sandbox.system;

import io.coil.sandbox.Sandbox;
import io.coil.sandbox.SandboxSettings;
import io.coil.sandbox.cluster.KubeletSettings;
import io.coil.testing.Servers;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

import java.time.Duration;

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

    /** A sandbox that says nothing; the caller closes it. */
    static Sandbox start(SandboxSettings settings) throws Exception {
        return StartedSandbox.start(settings, Servers.IN_JVM).operator().sandbox();
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

    private static StartedSandbox started(ExtensionContext context) {
        Servers on =
                context.getTestInstance()
                        .filter(OnServer.class::isInstance)
                        .map(test -> ((OnServer) test).on())
                        .orElse(Servers.IN_JVM);
        return holder(context, on)
                .getStore(OURS)
                .computeIfAbsent(
                        on,
                        key -> {
                            try {
                                return StartedSandbox.start(SHORT, on);
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        StartedSandbox.class);
    }

    /**
     * Whose end is the sandbox's: that of all tests, or, since others wait for the one real server,
     * of the test class's run on it.
     */
    private static ExtensionContext holder(ExtensionContext context, Servers on) {
        ExtensionContext holder = context;
        while (on == Servers.REAL && holder.getTestMethod().isPresent()) {
            holder = holder.getParent().orElseThrow();
        }
        return on == Servers.REAL ? holder : context.getRoot();
    }
}
