package io.coil.sandbox.program;

import io.coil.agent.kernel.SimulatedKernel;
import io.coil.core.net.Address;
import io.coil.sandbox.cluster.CniEntry;
import io.coil.sandbox.cluster.CniReply;
import io.coil.sandbox.cluster.CniRequest;
import io.coil.sandbox.cluster.Machine;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/**
 * A machine with a kernel in memory. The kernel belongs to it, not to the agent: it is there before
 * an agent starts and after it ended.
 */
public final class SimulatedMachine implements Machine {
    private final String name;
    private final String internalIp;
    private final SimulatedKernel kernel;
    private volatile @Nullable CniEntry socket;

    public SimulatedMachine(String name, String internalIp) {
        this.name = name;
        this.internalIp = internalIp;
        this.kernel = new SimulatedKernel(Set.of(Address.parse(internalIp)));
    }

    public SimulatedKernel kernel() {
        return kernel;
    }

    /** From now on this agent answers at the socket. */
    synchronized void listen(CniEntry agent) {
        socket = agent;
    }

    /** This agent does not any more; another that came meanwhile goes on. */
    synchronized void silence(CniEntry agent) {
        if (agent.equals(socket)) {
            socket = null;
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String internalIp() {
        return internalIp;
    }

    @Override
    public CniEntry plugin() {
        return this::call;
    }

    /** As the plugin's executable: it knows nothing but the socket. */
    private CniReply call(CniRequest request) throws InterruptedException {
        CniEntry agent = socket;
        return agent == null
                ? CniReply.failure(
                        CniReply.TRY_AGAIN_LATER, "no agent answers at /run/coil/cni.sock")
                : agent.call(request);
    }
}
