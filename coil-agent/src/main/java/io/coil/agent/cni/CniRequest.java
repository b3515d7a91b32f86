package io.coil.agent.cni;

import java.time.Duration;
import java.util.Map;

/**
 * What the plugin carries to the agent: its environment ({@code CNI_COMMAND}, {@code
 * CNI_CONTAINERID}, {@code CNI_NETNS}, {@code CNI_IFNAME}, {@code CNI_ARGS}, {@code CNI_PATH}) and
 * its standard input, a network configuration (CNI specification, section 2).
 *
 * @param patience how long the caller waits for the answer: an ADD that takes longer leaves
 *     nothing, because nobody learns of its address
 */
public record CniRequest(Map<String, String> environment, String standardInput, Duration patience) {
    /** As long as kubelets wait for a container runtime, if nobody told them otherwise. */
    private static final Duration USUAL = Duration.ofMinutes(2);

    /** A call of somebody with the usual patience. */
    public CniRequest(Map<String, String> environment, String standardInput) {
        this(environment, standardInput, USUAL);
    }

    String variable(String name) {
        return environment.getOrDefault(name, "");
    }
}
