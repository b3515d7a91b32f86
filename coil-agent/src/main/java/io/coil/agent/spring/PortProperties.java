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
            Map.ofEntries(
                    Map.entry("spring.main.lazy-initialization", "false"),
                    Map.entry("spring.jmx.enabled", "false"),
                    Map.entry("spring.threads.virtual.enabled", "true"),
                    Map.entry("server.tomcat.threads.min-spare", "1"),
                    Map.entry(
                            "management.endpoints.web.exposure.include",
                            "health,info,prometheus,blocks,collections,leaks"),
                    Map.entry("management.endpoint.health.show-details", "always"),
                    Map.entry("coil.agent.metrics-port", "9384"),
                    Map.entry("coil.agent.health-port", "9385"),
                    Map.entry("coil.agent.address", "0.0.0.0"),
                    Map.entry("management.info.java.enabled", "true"),
                    Map.entry("management.endpoint.health.probes.enabled", "true"),
                    Map.entry(
                            "management.endpoint.health.group.readiness.include",
                            "readinessState,serving"),
                    Map.entry("management.health.diskspace.enabled", "false"),
                    Map.entry("management.health.ssl.enabled", "false"));

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
