package io.coil.agent.spring;

import io.coil.agent.Agent;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

import java.time.Duration;

/**
 * Whether the agent serves, and how well it sees the API. Pods can start without the API, so only a
 * long blindness counts.
 */
@Component("coilAgentHealthIndicator")
class AgentHealth implements HealthIndicator {
    private static final Duration BLIND = Duration.ofSeconds(40);

    private final Agent agent;

    AgentHealth(Agent agent) {
        this.agent = agent;
    }

    @Override
    public Health health() {
        String why = agent.notServing();
        Duration silence = agent.apiSilence();
        Health.Builder health =
                why == null && silence.compareTo(BLIND) < 0 ? Health.up() : Health.down();
        if (why != null) {
            health.withDetail("notServing", why);
        }
        return health.withDetail("apiOutOfSightSeconds", silence.toSeconds())
                .withDetail("blocks", agent.blocks().size())
                .withDetail("addresses", agent.assignments().size())
                .build();
    }
}
