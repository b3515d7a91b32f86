package io.coil.simulation.world;

import io.coil.agent.AgentSettings;
import io.coil.controller.settings.ControllerSettings;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The programs' settings: the real ones, graces and intervals shorter, in the proportions that the
 * assumptions need. What nothing needs differs from set to set, so that no run depends on it.
 */
public enum Timing {
    /** The proportions of the defaults. */
    USUAL(
            Duration.ofMinutes(4),
            """
            agent.add-wait 10s
            agent.demand-hold 20s
            agent.linger 10s
            agent.grace 15s
            agent.collection-interval 45s
            agent.report-interval 60s
            agent.request-poll 2s
            controller.node-grace 60s
            controller.collection-interval 60s
            controller.run-deadline 30s
            controller.run-ttl 10m
            controller.pool-status-interval 45s
            controller.request-poll 10s
            controller.stray-age 60s
            controller.lease-retry 6s
            controller.lease-duration 20s
            controller.lease-renew-deadline 15s
            """),

    /** Graces about as long as a lease: a leader that is away comes back to all of them over. */
    SHORT_GRACES(
            Duration.ofMinutes(3),
            """
            agent.add-wait 5s
            agent.demand-hold 12s
            agent.linger 2s
            agent.grace 5s
            agent.collection-interval 20s
            agent.report-interval 30s
            agent.request-poll 1s
            controller.node-grace 40s
            controller.collection-interval 25s
            controller.run-deadline 15s
            controller.run-ttl 5m
            controller.pool-status-interval 20s
            controller.request-poll 5s
            controller.stray-age 25s
            controller.lease-retry 10s
            controller.lease-duration 40s
            controller.lease-renew-deadline 30s
            """),

    /** Graces many leases long: leaders change while they run, and pods wait long. */
    LONG_GRACES(
            Duration.ofMinutes(9),
            """
            agent.add-wait 20s
            agent.demand-hold 60s
            agent.linger 30s
            agent.grace 40s
            agent.collection-interval 100s
            agent.report-interval 90s
            agent.request-poll 5s
            controller.node-grace 120s
            controller.collection-interval 150s
            controller.run-deadline 60s
            controller.run-ttl 20m
            controller.pool-status-interval 60s
            controller.request-poll 20s
            controller.stray-age 150s
            controller.lease-retry 2s
            controller.lease-duration 8s
            controller.lease-renew-deadline 5s
            """);

    private final Duration quiet;
    private final String text;

    Timing(Duration quiet, String text) {
        this.quiet = quiet;
        this.text = text;
    }

    /** That of a run whose plan has no aim. */
    public static Timing of(long seed) {
        return values()[new SplittableRandom(seed ^ 0x7F4A7C15L).nextInt(values().length)];
    }

    /** From "no Node" to orphan. */
    public Duration nodeGrace() {
        return controller("any").nodeGrace();
    }

    /** Longer than every grace, interval and age together that follow one upon the other. */
    Duration quiet() {
        return quiet;
    }

    AgentSettings agent(String node) {
        return AgentSettings.of(node, settings());
    }

    ControllerSettings controller(String identity) {
        return ControllerSettings.read(settings()::get, identity);
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>();
        for (String line : text.split("\n", -1)) {
            int space = line.indexOf(' ');
            if (space > 0) {
                settings.put("coil." + line.substring(0, space), line.substring(space + 1));
            }
        }
        return settings;
    }
}
