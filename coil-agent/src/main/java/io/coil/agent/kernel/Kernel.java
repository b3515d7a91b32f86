package io.coil.agent.kernel;

import io.coil.agent.journal.Journal;
import io.coil.core.holdings.ContainerKey;
import io.coil.core.net.Address;
import io.coil.core.net.Cidr;

import java.util.List;
import java.util.Set;

/**
 * The seam of the machine: links, routes, who may serve it, and what it remembers. Every method
 * throws {@link KernelFailure}, is safe to repeat, and blocks the calling task only.
 */
public interface Kernel {

    /**
     * All pod links of this machine, whole; a dump that was cut short is a failure, never a short
     * list.
     */
    List<PodLink> links();

    /** Makes the link, its addresses and routes; completes what is there in part. */
    void attach(PodLink link, String netns);

    /** Takes the link and its routes away; false if there was none. */
    boolean detach(ContainerKey key);

    /** Fails if the link, an address or a route of it is missing in the pod or on the host. */
    void check(PodLink link, String netns);

    /** Ranges that routing daemons are told of, whole. */
    Set<Cidr> exported();

    void export(Cidr range);

    void withdraw(Cidr range);

    /** Addresses of this machine's own interfaces. */
    Set<Address> localAddresses();

    /**
     * Takes the right to serve this machine until closed; fails, saying who, if another agent has
     * it.
     */
    Claim claim();

    /** What this machine remembers for the agents that run on it. */
    default Journal journal() {
        return Journal.NONE;
    }

    /** The right of one agent to serve the machine. */
    interface Claim extends AutoCloseable {
        @Override
        void close();
    }
}
