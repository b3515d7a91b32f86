package io.coil.core.holdings;

/**
 * One interface of one container: what an address is given to. The container id is the runtime's,
 * of the pod's sandbox.
 */
public record ContainerKey(String containerId, String ifname) {
    @Override
    public String toString() {
        return containerId + "/" + ifname;
    }
}
