package io.coil.controller.settings;

import static io.coil.core.settings.Setting.port;
import static io.coil.core.settings.Setting.text;

import io.coil.core.settings.Setting;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Function;

/** TCP ports; 0 means any free one, -1 none. */
public record PortSettings(String address, int metrics, int health, int webhook) {
    private static final Setting<String> ADDRESS =
            text("coil.controller.address", "0.0.0.0", "the address that the ports are bound to");
    private static final Setting<Integer> METRICS =
            port("coil.controller.metrics-port", "9386", "/metrics and /actuator");
    private static final Setting<Integer> HEALTH =
            port("coil.controller.health-port", "9387", "/healthz and /readyz");
    private static final Setting<Integer> WEBHOOK =
            port("coil.controller.webhook-port", "9443", "admission, TLS");

    static final List<Setting<?>> ALL = List.of(ADDRESS, METRICS, HEALTH, WEBHOOK);

    static PortSettings read(Function<String, @Nullable String> values) {
        return new PortSettings(
                ADDRESS.from(values),
                METRICS.from(values),
                HEALTH.from(values),
                WEBHOOK.from(values));
    }
}
