package io.coil.agent.kernel;

import io.coil.agent.journal.SimulatedJournal;
import io.coil.core.holdings.ContainerKey;
import io.coil.core.net.Address;
import io.coil.core.net.Cidr;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A kernel in memory, for the sandbox and for tests. It belongs to a node and outlives the agents
 * that run there; {@link #reboot} is what a restart of the machine leaves of it.
 */
public final class SimulatedKernel implements Kernel {

    private record Attached(PodLink link, String netns) {}

    private final Set<Address> local;
    private final SimulatedJournal journal = new SimulatedJournal();
    // guarded by this
    private final Map<ContainerKey, Attached> links = new LinkedHashMap<>();
    private final Set<Cidr> routes = new TreeSet<>();
    private boolean claimed;
    private Set<String> refused = Set.of();
    private String failing = "";
    private int failures;
    private volatile Consumer<PodLink> beforeAttach = link -> {};

    public SimulatedKernel(Set<Address> local) {
        this.local = Set.copyOf(local);
    }

    @Override
    public synchronized List<PodLink> links() {
        mayFail("dump of links");
        return links.values().stream().map(Attached::link).toList();
    }

    @Override
    public void attach(PodLink link, String netns) {
        beforeAttach.accept(link);
        made(link, netns);
    }

    private synchronized void made(PodLink link, String netns) {
        mayFail("link " + link.hostInterface());
        if (netns.isEmpty()) {
            throw new KernelFailure("no network namespace is named", null);
        }
        if (refused.contains(link.key().containerId())) {
            throw new KernelFailure("link of " + link.key() + ": refused", null);
        }
        links.put(link.key(), new Attached(link, netns));
    }

    @Override
    public synchronized boolean detach(ContainerKey key) {
        mayFail("link of " + key);
        return links.remove(key) != null;
    }

    @Override
    public synchronized void check(PodLink link, String netns) {
        Attached attached = links.get(link.key());
        if (attached == null) {
            throw new KernelFailure("there is no link for " + link.key(), null);
        }
        if (!attached.link().addresses().equals(link.addresses())) {
            throw new KernelFailure(
                    "the link of %s has %s, not %s"
                            .formatted(link.key(), attached.link().addresses(), link.addresses()),
                    null);
        }
    }

    @Override
    public synchronized Set<Cidr> exported() {
        mayFail("dump of routes");
        return Collections.unmodifiableSet(new TreeSet<>(routes));
    }

    @Override
    public synchronized void export(Cidr range) {
        mayFail("route of " + range);
        routes.add(range);
    }

    @Override
    public synchronized void withdraw(Cidr range) {
        mayFail("route of " + range);
        routes.remove(range);
    }

    @Override
    public Set<Address> localAddresses() {
        return local;
    }

    @Override
    public synchronized Claim claim() {
        if (claimed) {
            throw new KernelFailure("another agent serves this node", null);
        }
        claimed = true;
        return () -> {
            synchronized (SimulatedKernel.this) {
                claimed = false;
            }
        };
    }

    @Override
    public SimulatedJournal journal() {
        return journal;
    }

    /** The machine restarts: links and routes are gone, and so is the agent. */
    public synchronized void reboot() {
        links.clear();
        routes.clear();
    }

    /** A link vanishes without a DEL. */
    public synchronized boolean cut(ContainerKey key) {
        return links.remove(key) != null;
    }

    /** Links of these containers cannot be made. */
    public synchronized void refuse(Set<String> containerIds) {
        refused = Set.copyOf(containerIds);
    }

    /** The next calls fail, that many. */
    public void failNext(int calls) {
        failNext("", calls);
    }

    /** The same for calls whose failure would begin with that text: {@code dump of links}. */
    public synchronized void failNext(String what, int calls) {
        failing = what;
        failures = calls;
    }

    /** Runs before a link is made, and holds up nobody else: a kernel that is slow with some. */
    public void beforeAttach(Consumer<PodLink> step) {
        beforeAttach = step;
    }

    private synchronized void mayFail(String what) {
        if (failures > 0 && what.startsWith(failing)) {
            failures--;
            throw new KernelFailure(what + ": simulated failure", null);
        }
    }
}
