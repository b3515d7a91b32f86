package io.coil.agent.cni;

import java.util.Map;

/**
 * What the plugin carries to the agent: its environment ({@code CNI_COMMAND}, {@code
 * CNI_CONTAINERID}, {@code CNI_NETNS}, {@code CNI_IFNAME}, {@code CNI_ARGS}, {@code CNI_PATH}) and
 * its standard input, a network configuration (CNI specification, section 2).
 */
public record CniRequest(Map<String, String> environment, String standardInput) {
    String variable(String name) {
        return environment.getOrDefault(name, "");
    }
}
