package io.coil.controller;

import io.coil.controller.web.Ports;

import org.springframework.context.ConfigurableApplicationContext;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Controllers as programs, with free ports: they answer admission, leader or not. */
final class Replicas implements AutoCloseable {
    private final Cluster cluster;
    private final List<ConfigurableApplicationContext> running = new ArrayList<>();

    Replicas(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Starts one; its calls have the User-Agent app1, app2, ... */
    ConfigurableApplicationContext start(String... settings) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("coil.controller.metrics-port", "off");
        properties.put("coil.controller.health-port", "0");
        properties.put("coil.controller.webhook-port", "0");
        properties.put("coil.controller.address", "127.0.0.1");
        for (int i = 0; i < settings.length; i += 2) {
            properties.put("coil." + settings[i], settings[i + 1]);
        }
        ConfigurableApplicationContext application =
                ControllerApplication.run(
                        properties, cluster.client("app" + (running.size() + 1)), cluster.timeline);
        running.add(application);
        Controller controller = application.getBean(Controller.class);
        Cluster.eventually(() -> controller.view().synced());
        return application;
    }

    static Ports ports(ConfigurableApplicationContext application) {
        return application.getBean(Ports.class);
    }

    @Override
    public void close() {
        running.forEach(ConfigurableApplicationContext::close);
    }
}
