package io.coil.agent.cni;

import io.coil.agent.hold.SharedHoldings;
import io.coil.agent.journal.Memory;
import io.coil.agent.kernel.Kernel;
import io.coil.agent.kernel.KernelFailure;
import io.coil.agent.kernel.PodLink;
import io.coil.agent.pool.PoolDirectory;
import io.coil.core.holdings.Assignment;
import io.coil.core.holdings.ContainerKey;
import io.coil.core.holdings.PodRef;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;

/**
 * ADD, DEL and CHECK of one interface of one container; the caller sees to it that there is one at
 * a time for each.
 */
final class InterfaceCalls {
    private static final Logger LOG = LoggerFactory.getLogger(InterfaceCalls.class);

    private final Addresses addresses;
    private final PoolDirectory pools;
    private final SharedHoldings holdings;
    private final Kernel kernel;
    private final Timeline time;
    private final Memory memory;

    InterfaceCalls(
            Addresses addresses,
            PoolDirectory pools,
            SharedHoldings holdings,
            Kernel kernel,
            Timeline time,
            Memory memory) {
        this.addresses = addresses;
        this.pools = pools;
        this.holdings = holdings;
        this.kernel = kernel;
        this.time = time;
        this.memory = memory;
    }

    /** The link of the interface, with its addresses; whoever fails leaves nothing. */
    PodLink add(Container container, Duration patience) throws InterruptedException {
        long deadline = time.nanos() + patience.toNanos();
        PodRef pod = container.requiredPod();
        if (container.netns().isEmpty()) {
            throw new CniFailure(CniFailure.INVALID_ENVIRONMENT, "CNI_NETNS is not set");
        }
        Assignment given = addresses.obtain(container.key(), pod, poolOf(pod), deadline);
        boolean done = false;
        PodLink link = link(given);
        try {
            kernel.attach(link, container.netns());
            requireInTime(deadline, patience);
            memory.given(given);
            holdings.change(h -> h.attached(container.key()));
            done = true;
        } catch (KernelFailure e) {
            throw new CniFailure(CniFailure.IO_FAILURE, e.getMessage());
        } finally {
            if (!done) {
                undo(container.key(), pod, given.pool());
            }
        }
        return link;
    }

    private void requireInTime(long deadline, Duration patience) {
        if (time.nanos() - deadline > 0) {
            throw CniFailure.tryAgain(
                    "the link was made only after the %d s that the caller waits; it is undone"
                            .formatted(patience.toSeconds()));
        }
    }

    /** A failed ADD leaves nothing, whatever its caller does next. */
    private void undo(ContainerKey key, PodRef pod, String pool) {
        try {
            kernel.detach(key);
        } catch (KernelFailure e) {
            LOG.atWarn()
                    .addKeyValue("container", key)
                    .addKeyValue("reason", e.getMessage())
                    .log(
                            "link of a failed ADD not taken away; its address is freed once it is gone");
            holdings.change(h -> h.attached(key)); // its absence is evidence from now on
            return;
        }
        addresses.takeBack(key, pod, pool);
    }

    private String poolOf(PodRef pod) {
        try {
            return pools.poolOf(pod.namespace())
                    .orElseThrow(
                            () ->
                                    CniFailure.tryAgain(
                                            "there is no namespace \"%s\""
                                                    .formatted(pod.namespace())));
        } catch (ApiFailure e) {
            throw CniFailure.tryAgain(
                    "namespace \"%s\" cannot be read: %s"
                            .formatted(pod.namespace(), e.getMessage()));
        }
    }

    /**
     * Frees the address and takes the link away; succeeds for what is not there, and without the
     * API.
     */
    void del(ContainerKey key) {
        try {
            kernel.detach(key);
        } catch (KernelFailure e) {
            throw CniFailure.tryAgain("the link is still there: " + e.getMessage());
        }
        addresses.release(key);
    }

    void check(Container container) {
        Assignment held = holdings.<@Nullable Assignment>with(h -> h.assignment(container.key()));
        if (held == null) {
            throw new CniFailure(
                    CniFailure.UNKNOWN_CONTAINER,
                    "container %s holds no address here".formatted(container.key()));
        }
        try {
            kernel.check(link(held), container.netns());
        } catch (KernelFailure e) {
            throw new CniFailure(CniFailure.IO_FAILURE, e.getMessage());
        }
    }

    private static PodLink link(Assignment given) {
        return new PodLink(
                given.key(), given.pool(), HostInterface.of(given.key()), given.addresses());
    }
}
