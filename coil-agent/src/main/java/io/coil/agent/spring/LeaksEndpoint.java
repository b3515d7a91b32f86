package io.coil.agent.spring;

import io.coil.agent.Agent;
import io.coil.kubernetes.resource.RunItem;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.stereotype.Component;

import java.util.List;

/**
 * {@code /actuator/leaks}: what a look at this node finds now, with its evidence; what is not there
 * long enough to be sure is among it.
 */
@Component
@Endpoint(id = "leaks")
class LeaksEndpoint {
    private final Agent agent;

    LeaksEndpoint(Agent agent) {
        this.agent = agent;
    }

    /** The node, and what was found on it. */
    record Descriptor(String node, List<Leak> leaks) {}

    /** One thing; {@code ageSeconds}: for how long it has looked like that. */
    record Leak(
            String rule,
            String kind,
            String name,
            @Nullable String block,
            @Nullable String pool,
            @Nullable String evidence,
            long ageSeconds) {

        static Leak of(RunItem item) {
            return new Leak(
                    item.rule(),
                    item.kind(),
                    item.name(),
                    item.block(),
                    item.pool(),
                    item.evidence(),
                    item.ageSeconds());
        }
    }

    @ReadOperation
    Descriptor leaks() {
        return new Descriptor(agent.nodeName(), agent.leaks().stream().map(Leak::of).toList());
    }
}
