package io.coil.agent.spring;

import io.coil.agent.Agent;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Whether calls of the container runtime are served, with or without the API. */
@Component("serving")
class ServingHealth implements HealthIndicator {
    private final Agent agent;

    ServingHealth(Agent agent) {
        this.agent = agent;
    }

    @Override
    public Health health() {
        String why = agent.notServing();
        return why == null
                ? Health.up().build()
                : Health.outOfService().withDetail("notServing", why).build();
    }
}
