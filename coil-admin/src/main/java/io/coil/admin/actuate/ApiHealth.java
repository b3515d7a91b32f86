package io.coil.admin.actuate;

import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.SnapshotKeeper;
import io.coil.admin.snapshot.Spoken;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

import java.util.Optional;

/** Whether we see the Kubernetes API: down when it has been silent for 40 s. */
final class ApiHealth implements HealthIndicator {
    private final SnapshotKeeper keeper;

    ApiHealth(SnapshotKeeper keeper) {
        this.keeper = keeper;
    }

    @Override
    public Health health() {
        Optional<Current> current = keeper.current();
        Health.Builder health =
                current.filter(c -> !c.stale()).isPresent() ? Health.up() : Health.down();
        health.withDetail(
                "kubernetes",
                current.map(c -> "API last seen " + Spoken.duration(c.age()) + " ago")
                        .orElse("not everything has been read yet"));
        current.ifPresent(
                c ->
                        health.withDetail("asOf", c.asOf().toString())
                                .withDetail("controller", c.controller() ? "leads" : "none leads"));
        current.filter(Current::stale)
                .ifPresent(c -> health.withDetail("since", c.asOf().toString()));
        keeper.lastFailure().ifPresent(failure -> health.withDetail("failure", failure.reason()));
        return health.build();
    }
}
