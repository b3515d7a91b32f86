package io.coil.sandbox.cluster;

import java.util.Map;

/**
 * One call of the plugin: its environment ({@code CNI_COMMAND} and so on) and its standard input.
 */
public record CniRequest(Map<String, String> environment, String stdin) {
    public CniRequest {
        environment = Map.copyOf(environment);
    }

    public String command() {
        return environment.getOrDefault("CNI_COMMAND", "");
    }

    public String containerId() {
        return environment.getOrDefault("CNI_CONTAINERID", "");
    }
}
