package io.coil.agent.spring;

import io.coil.agent.Agent;
import io.coil.core.garbage.Rule;
import io.coil.core.holdings.BlockView;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.stereotype.Component;

import java.util.function.ToDoubleFunction;

/** What this node holds, as gauges. */
@Component
class AgentMeters implements InitializingBean {
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
                collected(rule);
            }
        }
    }

    private void collected(Rule rule) {
        FunctionCounter.builder("coil.agent.collected", agent, a -> a.collected(rule))
                .description("what was collected on this node, by rule")
                .tag("rule", rule.text())
                .register(registry);
    }

    private void gauge(String name, String what, ToDoubleFunction<Agent> value) {
        Gauge.builder(name, agent, value).description(what).register(registry);
    }
}
