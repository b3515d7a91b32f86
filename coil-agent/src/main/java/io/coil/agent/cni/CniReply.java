package io.coil.agent.cni;

/**
 * What the plugin answers its caller with: exit code, 0 for success, and JSON for its standard
 * output (may be empty).
 */
public record CniReply(int exitCode, String standardOutput) {
    public boolean ok() {
        return exitCode == 0;
    }
}
