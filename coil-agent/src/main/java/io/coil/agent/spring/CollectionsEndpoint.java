package io.coil.agent.spring;

import io.coil.agent.Agent;
import io.coil.core.garbage.Rule;
import io.coil.kubernetes.resource.NodeBlockUsage;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.stereotype.Component;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * {@code /actuator/collections}: what was collected on this node since the agent started, by rule,
 * and its part in collections that somebody asked for.
 */
@Component
@Endpoint(id = "collections")
class CollectionsEndpoint {
    private final Agent agent;

    CollectionsEndpoint(Agent agent) {
        this.agent = agent;
    }

    /** The node, the mode in force, what was done by rule, and parts in runs. */
    record Descriptor(
            String node, String collection, Map<String, Long> collected, List<Part> parts) {}

    /** A part in a run. */
    record Part(String run, String state, long found, long done, long failed) {
        static Part of(NodeBlockUsage.Run run) {
            return new Part(run.run(), run.state(), run.found(), run.done(), run.failed());
        }
    }

    @ReadOperation
    Descriptor collections() {
        Map<String, Long> collected = new TreeMap<>();
        for (Rule rule : Rule.values()) {
            if (rule.collector() == Rule.Collector.AGENT) {
                collected.put(rule.text(), agent.collected(rule));
            }
        }
        return new Descriptor(
                agent.nodeName(),
                agent.collection().text(),
                collected,
                agent.runs().stream().map(Part::of).toList());
    }
}
