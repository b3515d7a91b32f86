package io.coil.agent.spring;

import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

import java.util.HashMap;
import java.util.Map;

/**
 * Says our ports in Spring's words: probes on one, metrics and Actuator on the other, or both on
 * one if that is off.
 */
final class PortProperties
        implements ApplicationContextInitializer<ConfigurableApplicationContext> {
    static final Map<String, Object> DEFAULTS =
            Map.of(
                    "spring.main.lazy-initialization", "false",
                    "spring.jmx.enabled", "false",
                    "spring.threads.virtual.enabled", "true",
                    "server.tomcat.threads.min-spare", "1",
                    "management.endpoints.web.exposure.include", "health,prometheus,blocks",
                    "management.endpoint.health.show-details", "always",
                    "coil.agent.metrics-port", "9384",
                    "coil.agent.health-port", "9385",
                    "coil.agent.address", "0.0.0.0");

    private final Map<String, Object> properties;

    PortProperties(Map<String, Object> properties) {
        this.properties = properties;
    }

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        ConfigurableEnvironment environment = context.getEnvironment();
        if (!properties.isEmpty()) {
            environment.getPropertySources().addFirst(new MapPropertySource("given", properties));
        }
        Map<String, Object> spring = new HashMap<>();
        spring.put("server.port", port(environment, "coil.agent.health-port"));
        spring.put("server.address", environment.getProperty("coil.agent.address", "0.0.0.0"));
        String metrics = environment.getProperty("coil.agent.metrics-port", "9384");
        if (!metrics.equals("off")) {
            spring.put("management.server.port", metrics);
            spring.put(
                    "management.server.address",
                    environment.getProperty("coil.agent.address", "0.0.0.0"));
        }
        environment.getPropertySources().addLast(new MapPropertySource("ports", spring));
    }

    private static String port(ConfigurableEnvironment environment, String name) {
        String port = environment.getProperty(name, "0");
        return port.equals("off") ? "-1" : port;
    }
}
