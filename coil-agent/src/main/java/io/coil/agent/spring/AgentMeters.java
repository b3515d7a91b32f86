package io.coil.agent.spring;

import io.coil.agent.Agent;
import io.coil.core.garbage.Rule;
import io.coil.core.holdings.BlockView;
import io.coil.kubernetes.api.CountedKubeApi;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.stereotype.Component;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** What this node holds, what was collected on it, and what the container runtime asked of it. */
@Component
class AgentMeters implements InitializingBean {
    private static final Set<String> COMMANDS = Set.of("ADD", "DEL", "CHECK", "GC", "STATUS");
    private static final String OTHER = "other";
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10)
    };

    private final Agent agent;
    private final MeterRegistry registry;

    AgentMeters(Agent agent, MeterRegistry registry) {
        this.agent = agent;
        this.registry = registry;
    }

    @Override
    public void afterPropertiesSet() {
        gauge("coil.agent.blocks", "blocks that this node holds", a -> a.blocks().size());
        gauge(
                "coil.agent.blocks.empty",
                "held blocks with no address in use",
                a -> a.blocks().stream().filter(BlockView::empty).count());
        gauge("coil.agent.addresses", "addresses given to containers", a -> a.assignments().size());
        gauge(
                "coil.agent.serving",
                "1 while calls of the container runtime are served",
                a -> a.notServing() == null ? 1 : 0);
        for (Rule rule : Rule.values()) {
            if (rule.collector() == Rule.Collector.AGENT) {
                collected(rule, "done", a -> a.collected(rule));
                collected(rule, "failed", a -> a.notCollected(rule));
            }
        }
        COMMANDS.forEach(command -> List.of("done", "failed").forEach(o -> call(command, o)));
        agent.tell(
                (command, done, nanos) ->
                        call(COMMANDS.contains(command) ? command : OTHER, done ? "done" : "failed")
                                .record(nanos, TimeUnit.NANOSECONDS));
    }

    /** Counts the calls of the API. */
    static CountedKubeApi.Told calls(MeterRegistry registry) {
        return (verb, resource, outcome, nanos) ->
                Timer.builder("coil.api.calls")
                        .description("calls of the Kubernetes API")
                        .tags("verb", verb, "resource", resource, "outcome", outcome)
                        .register(registry)
                        .record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer call(String command, String outcome) {
        return Timer.builder("coil.agent.cni.calls")
                .description("calls of the container runtime, from its request to our answer")
                .tags("command", command, "outcome", outcome)
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    private void collected(Rule rule, String outcome, ToDoubleFunction<Agent> count) {
        FunctionCounter.builder("coil.agent.collected", agent, count)
                .description("what was collected on this node")
                .tag("rule", rule.text())
                .tag("outcome", outcome)
                .register(registry);
    }

    private void gauge(String name, String what, ToDoubleFunction<Agent> value) {
        Gauge.builder(name, agent, value).description(what).register(registry);
    }
}
