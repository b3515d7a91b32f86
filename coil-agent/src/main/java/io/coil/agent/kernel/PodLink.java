package io.coil.agent.kernel;

import io.coil.core.holdings.ContainerKey;
import io.coil.core.net.Address;

import java.util.List;

/**
 * The host's end of a pod's link, as the kernel keeps it: alias {@code COIL:<pool>:<container
 * id>:<interface>} (Coil v2) and the addresses that are routed to it.
 *
 * @param hostInterface name of the host's end
 */
public record PodLink(
        ContainerKey key, String pool, String hostInterface, List<Address> addresses) {}
