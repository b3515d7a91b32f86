package io.coil.agent.spring;

import io.coil.agent.Agent;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * How well the agent sees the API. Pods can start without it, so only a long blindness counts, and
 * it does not make the agent less ready.
 */
@Component("kubernetes")
class AgentHealth implements HealthIndicator {
    private static final Duration BLIND = Duration.ofSeconds(40);

    private final Agent agent;

    AgentHealth(Agent agent) {
        this.agent = agent;
    }

    @Override
    public Health health() {
        Duration silence = agent.apiSilence();
        boolean blind = silence.compareTo(BLIND) >= 0;
        Health.Builder health = blind ? Health.down() : Health.up();
        if (blind) {
            health.withDetail(
                    "since",
                    Instant.now().minus(silence).truncatedTo(ChronoUnit.SECONDS).toString());
        }
        return health.withDetail("apiOutOfSightSeconds", silence.toSeconds())
                .withDetail("blocks", agent.blocks().size())
                .withDetail("addresses", agent.assignments().size())
                .build();
    }
}
