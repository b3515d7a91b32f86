package io.coil.sandbox.program;

import io.coil.agent.kernel.SimulatedKernel;
import io.coil.sandbox.cluster.CniEntry;
import io.coil.sandbox.cluster.Machine;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The simulated machines, each with an address of its own in 172.18.0.0/16. */
public final class Machines {
    // guarded by this
    private final Map<String, SimulatedMachine> byName = new TreeMap<>();

    /** {@code internalIp} null: the next that is free. */
    public synchronized Machine make(String name, @Nullable String internalIp) {
        SimulatedMachine machine =
                new SimulatedMachine(name, internalIp == null ? freeAddress() : internalIp);
        byName.put(name, machine);
        return machine;
    }

    private String freeAddress() {
        Set<String> taken = new HashSet<>();
        byName.values().forEach(m -> taken.add(m.internalIp()));
        for (int i = 2; ; i++) {
            String address = "172.18.%d.%d".formatted(i / 256, i % 256);
            if (!taken.contains(address)) {
                return address;
            }
        }
    }

    synchronized SimulatedMachine get(String name) {
        SimulatedMachine machine = byName.get(name);
        if (machine == null) {
            throw new IllegalArgumentException("there is no machine " + name);
        }
        return machine;
    }

    public CniEntry plugin(String name) {
        return get(name).plugin();
    }

    /** By node. */
    public synchronized Map<String, SimulatedKernel> kernels() {
        Map<String, SimulatedKernel> kernels = new TreeMap<>();
        byName.forEach((name, machine) -> kernels.put(name, machine.kernel()));
        return kernels;
    }
}
