package io.coil.simulation.world;

import io.coil.agent.AgentSettings;
import io.coil.controller.settings.ControllerSettings;

import java.time.Duration;
import java.util.Map;

/**
 * The programs' settings: the real ones, graces and intervals shorter, in the proportions that the
 * assumptions need.
 */
public final class Timing {
    /** From "no Node" to orphan. */
    public static final Duration NODE_GRACE = Duration.ofMinutes(1);

    /** Longer than every grace, interval and age together that follow one upon the other. */
    static final Duration QUIET = Duration.ofMinutes(4);

    private static final Map<String, String> AGENT =
            Map.ofEntries(
                    Map.entry("coil.agent.add-wait", "10s"),
                    Map.entry("coil.agent.demand-hold", "20s"),
                    Map.entry("coil.agent.linger", "10s"),
                    Map.entry("coil.agent.grace", "15s"),
                    Map.entry("coil.agent.collection-interval", "45s"),
                    Map.entry("coil.agent.report-interval", "60s"),
                    Map.entry("coil.agent.request-poll", "2s"));

    private static final Map<String, String> CONTROLLER =
            Map.ofEntries(
                    Map.entry("coil.controller.node-grace", "60s"),
                    Map.entry("coil.controller.collection-interval", "60s"),
                    Map.entry("coil.controller.run-deadline", "30s"),
                    Map.entry("coil.controller.run-ttl", "10m"),
                    Map.entry("coil.controller.pool-status-interval", "45s"),
                    Map.entry("coil.controller.request-poll", "10s"),
                    Map.entry("coil.controller.stray-age", "60s"),
                    Map.entry("coil.controller.lease-retry", "6s"),
                    Map.entry("coil.controller.lease-duration", "20s"),
                    Map.entry("coil.controller.lease-renew-deadline", "15s"));

    private Timing() {}

    static AgentSettings agent(String node) {
        return AgentSettings.of(node, AGENT);
    }

    static ControllerSettings controller(String identity) {
        return ControllerSettings.read(CONTROLLER::get, identity);
    }
}
