package io.coil.controller.web;

import io.coil.controller.Controller;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Whether the controller sees the API and can be called by it, and whether it leads. Not leading is
 * well.
 */
@Component("kubernetes")
public final class ControllerHealth implements HealthIndicator {
    /** Longer than a watch may be silent for good reasons. */
    private static final Duration BLIND = Duration.ofSeconds(40);

    private final Controller controller;
    private final Ports ports;

    public ControllerHealth(Controller controller, Ports ports) {
        this.controller = controller;
        this.ports = ports;
    }

    @Override
    public Health health() {
        String why = notReady();
        Health.Builder health = why == null ? Health.up() : Health.down().withDetail("why", why);
        Duration blind = controller.view().blindFor();
        if (blind.compareTo(BLIND) >= 0) {
            health.withDetail(
                    "since", Instant.now().minus(blind).truncatedTo(ChronoUnit.SECONDS).toString());
        }
        String leader = controller.leader();
        if (leader != null) {
            health.withDetail("leader", leader);
        }
        return health.withDetail("leading", controller.isLeader())
                .withDetail("granting", controller.isGranting())
                .withDetail("apiOutOfSightSeconds", blind.toSeconds())
                .build();
    }

    /** A sentence; or null. */
    @Nullable String notReady() {
        if (!controller.view().synced()) {
            return "the API has not been read completely yet";
        }
        Duration blind = controller.view().blindFor();
        return blind.compareTo(BLIND) < 0
                ? ports.webhookNotReady()
                : "the API has been out of sight for %d s".formatted(blind.toSeconds());
    }
}
