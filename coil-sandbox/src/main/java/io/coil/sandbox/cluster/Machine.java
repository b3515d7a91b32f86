package io.coil.sandbox.cluster;

/** A simulated machine: what its kubelet and its container runtime find there. */
public interface Machine {

    /** Name of its Node. */
    String name();

    /** The address that the Node shows as InternalIP. */
    String internalIp();

    /** The CNI plugin; with no agent at its socket it answers "try again later". */
    CniEntry plugin();
}
