package io.coil.simulation.kernel;

import io.coil.agent.journal.SimulatedJournal;
import io.coil.agent.kernel.PodLink;
import io.coil.core.holdings.ContainerKey;
import io.coil.core.net.Address;
import io.coil.core.net.Cidr;
import io.coil.simulation.schedule.Actor;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A machine: what its kernel holds, and the containers that really run on it. It outlives the
 * programs that run there; {@link #reboot} is what a restart leaves.
 */
public final class Machine {

    /**
     * A container that runs, with the addresses that it was told are its own.
     *
     * @param id the runtime's
     */
    public record Live(String id, String pod, List<Address> addresses) {}

    private final String name;
    private final Address address;
    private final Map<ContainerKey, PodLink> links = new LinkedHashMap<>();
    private final Set<Cidr> routes = new TreeSet<>();
    private final Set<String> namespaces = new LinkedHashSet<>();
    private final Map<String, Live> live = new LinkedHashMap<>();
    private final SimulatedJournal journal = new SimulatedJournal();
    private @Nullable Actor owner;
    private int failures;
    private boolean journalFull;
    private boolean running = true;

    public Machine(String name, Address address) {
        this.name = name;
        this.address = address;
    }

    public String name() {
        return name;
    }

    public Address address() {
        return address;
    }

    public boolean running() {
        return running;
    }

    /** Containers, links and routes are gone; programs are ended by who calls this. */
    public void reboot() {
        links.clear();
        routes.clear();
        namespaces.clear();
        live.clear();
        owner = null;
        failures = 0;
        journalFull = false;
    }

    public void off() {
        reboot();
        running = false;
    }

    /** Another machine under the old name: it remembers nothing. */
    public void on() {
        journal.lose();
        running = true;
    }

    /** A network namespace for a new container; its path. */
    public String newNamespace(String containerId) {
        String path = "/run/netns/" + containerId;
        namespaces.add(path);
        return path;
    }

    /** The namespace goes, and with it the links that lead into it. */
    public void dropNamespace(String containerId) {
        namespaces.remove("/run/netns/" + containerId);
        links.keySet().removeIf(key -> key.containerId().equals(containerId));
    }

    /** From now on it runs, and what it was told is true for it. */
    public void lives(Live container) {
        live.put(container.id(), container);
    }

    public void dies(String containerId) {
        live.remove(containerId);
    }

    public boolean isLive(String containerId) {
        return live.containsKey(containerId);
    }

    public List<Live> live() {
        return new ArrayList<>(live.values());
    }

    public List<PodLink> links() {
        return new ArrayList<>(links.values());
    }

    public Set<Cidr> routes() {
        return routes;
    }

    /** The next calls of the kernel fail, that many. */
    public void failNext(int calls) {
        failures = calls;
    }

    boolean takeFailure() {
        if (failures == 0) {
            return false;
        }
        failures--;
        return true;
    }

    /** What it remembers, over restarts too. */
    public SimulatedJournal journal() {
        return journal;
    }

    /** What happens to it, as {@code Act.JOURNAL} counts. */
    public void spoilJournal(int how) {
        switch (how) {
            case 0 -> journal.lose();
            case 1 -> journal.rewrite(now -> now.subList(0, now.size() / 2));
            default -> journalFull = true;
        }
    }

    /** Whether what is written down now is lost. */
    boolean journalFull() {
        return journalFull;
    }

    boolean hasNamespace(String path) {
        return namespaces.contains(path);
    }

    Map<ContainerKey, PodLink> linksByKey() {
        return links;
    }

    @Nullable Actor owner() {
        return owner == null || owner.dead() ? null : owner;
    }

    void owner(@Nullable Actor now) {
        owner = now;
    }
}
