package io.coil.agent.spring;

import io.coil.agent.Agent;
import io.coil.kubernetes.access.Lookers;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.time.Timeline;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

import java.io.IOException;

/**
 * {@code /metrics} beside {@code /actuator/prometheus}: the path that scrapers of Coil v2 know. And
 * who may see the rest. Of an agent alone: this is found by every program on the class path.
 */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnBean(Agent.class)
class MetricsPath {

    @Bean
    static ServletRegistrationBean<HttpServlet> metrics(PrometheusMeterRegistry registry) {
        return new ServletRegistrationBean<>(new Scrape(registry), "/metrics");
    }

    @Bean
    static FilterRegistrationBean<ActuatorGate> agentGate(KubeApi api, Timeline time) {
        FilterRegistrationBean<ActuatorGate> gate =
                new FilterRegistrationBean<>(new ActuatorGate(new Lookers(api, time)));
        gate.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return gate;
    }

    private static final class Scrape extends HttpServlet {
        private static final long serialVersionUID = 1L;
        private final transient PrometheusMeterRegistry registry;

        Scrape(PrometheusMeterRegistry registry) {
            this.registry = registry;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            response.setContentType("text/plain; version=0.0.4; charset=utf-8");
            response.getWriter().write(registry.scrape());
        }
    }
}
