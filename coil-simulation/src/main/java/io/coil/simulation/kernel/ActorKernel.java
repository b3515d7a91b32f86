package io.coil.simulation.kernel;

import io.coil.agent.journal.Journal;
import io.coil.agent.kernel.Kernel;
import io.coil.agent.kernel.KernelFailure;
import io.coil.agent.kernel.PodLink;
import io.coil.core.holdings.ContainerKey;
import io.coil.core.net.Address;
import io.coil.core.net.Cidr;
import io.coil.simulation.check.Trace;
import io.coil.simulation.schedule.Actor;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** The seam of the kernel, as one life of an agent has it on its machine. */
public final class ActorKernel implements Kernel {

    /** Hears of what is about to be done, and of what was done. */
    public interface Watcher {
        /** May hold the caller until somebody lets it go on. */
        void before(Actor actor, String what);

        /** The kernel has changed, in this very step. */
        void changed(Machine machine);
    }

    private final Actor actor;
    private final Machine machine;
    private final Watcher watcher;
    private final Trace trace;

    public ActorKernel(Actor actor, Machine machine, Watcher watcher, Trace trace) {
        this.actor = actor;
        this.machine = machine;
        this.watcher = watcher;
        this.trace = trace;
    }

    @Override
    public List<PodLink> links() {
        return call("reads links", machine::links);
    }

    @Override
    public void attach(PodLink link, String netns) {
        change(
                "attaches " + link.key().containerId() + " " + link.addresses(),
                () -> {
                    if (!machine.hasNamespace(netns)) {
                        throw new KernelFailure("there is no namespace " + netns, null);
                    }
                    machine.linksByKey().put(link.key(), link);
                    return true;
                });
    }

    @Override
    public boolean detach(ContainerKey key) {
        return change(
                "detaches " + key.containerId(), () -> machine.linksByKey().remove(key) != null);
    }

    @Override
    public void check(PodLink link, String netns) {
        call(
                "checks " + link.key().containerId(),
                () -> {
                    if (!link.equals(machine.linksByKey().get(link.key()))) {
                        throw new KernelFailure("the link of " + link.key() + " is not so", null);
                    }
                    return true;
                });
    }

    @Override
    public Set<Cidr> exported() {
        return call(
                "reads routes",
                () -> Collections.unmodifiableSet(new LinkedHashSet<>(machine.routes())));
    }

    @Override
    public void export(Cidr range) {
        change("exports " + range, () -> machine.routes().add(range));
    }

    @Override
    public void withdraw(Cidr range) {
        change("withdraws " + range, () -> machine.routes().remove(range));
    }

    @Override
    public Set<Address> localAddresses() {
        return call("reads its own addresses", () -> Set.of(machine.address()));
    }

    @Override
    public Claim claim() {
        actor.alive();
        if (machine.owner() != null) {
            throw new KernelFailure("another agent serves this node", null);
        }
        machine.owner(actor);
        return () -> {
            actor.alive();
            if (machine.owner() == actor) {
                machine.owner(null);
            }
        };
    }

    @Override
    public Journal journal() {
        return new ActorJournal(actor, machine);
    }

    private <R> R call(String what, Supplier<R> effect) {
        watcher.before(actor, what);
        actor.passWhole(latency());
        if (machine.takeFailure()) {
            trace.add(actor.name(), () -> what + " -> kernel fails (injected)");
            throw new KernelFailure(what + ": no buffer space available", null);
        }
        R reply = effect.get();
        trace.add(actor.name(), () -> what);
        return reply;
    }

    /** A change that fails may have been made all the same. */
    private <R> R change(String what, Supplier<R> effect) {
        watcher.before(actor, what);
        actor.passWhole(latency());
        boolean fails = machine.takeFailure();
        if (fails && actor.random().nextBoolean()) {
            trace.add(actor.name(), () -> what + " -> kernel fails before (injected)");
            throw new KernelFailure(what + ": no buffer space available", null);
        }
        R reply = effect.get();
        trace.add(actor.name(), () -> what + (fails ? " -> kernel fails after (injected)" : ""));
        watcher.changed(machine);
        if (fails) {
            throw new KernelFailure(what + ": interrupted half-way", null);
        }
        return reply;
    }

    private Duration latency() {
        long most = actor.random().nextInt(50) == 0 ? 300_000_000 : 2_000_000;
        return Duration.ofNanos(20_000 + actor.random().nextLong(most));
    }
}
