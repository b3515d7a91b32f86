package io.coil.controller;

import io.coil.controller.garbage.ForcedReleases;
import io.coil.controller.view.ClusterChanges;
import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenAgent;
import io.coil.controller.view.SeenBlock;
import io.coil.controller.view.SeenNode;
import io.coil.controller.view.SeenPool;
import io.coil.controller.view.SeenRequest;
import io.coil.controller.view.SeenRun;
import io.coil.controller.view.SeenUsage;
import io.coil.core.pool.PoolSwitches;
import io.coil.kubernetes.events.Events;
import io.coil.kubernetes.events.Subject;
import io.coil.kubernetes.resource.Names;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Which change makes what worth a look. Missing one costs time, never truth: all is polled too. */
final class LeaderChanges implements ClusterChanges {
    private final ClusterView view;
    private final Leadership work;
    private final Events events;

    LeaderChanges(ClusterView view, Leadership work, Events events) {
        this.view = view;
        this.work = work;
        this.events = events;
    }

    /** Everything that is there, as if it were new. */
    void lookAtAll() {
        view.nodes().forEach(n -> work.nodeStates.seen(n.name(), n));
        view.nodes().forEach(n -> work.agentStates.look(n.name()));
        view.pools().forEach(p -> pool(null, p));
        view.blocks().forEach(b -> block(null, b));
        view.requests().forEach(r -> request(null, r));
        view.runs().forEach(r -> run(null, r));
    }

    @Override
    public void pool(@Nullable SeenPool old, @Nullable SeenPool now) {
        work.poolStatuses.pool(old, now);
        if (now != null) {
            work.poolMeters.there(now.name());
        } else if (old != null) {
            work.poolMeters.gone(old.name());
        }
        if (now != null && !now.bad().equals(old == null ? List.of() : old.bad())) {
            now.bad().forEach(bad -> ignored(subject(now), bad));
        }
        if (now != null && now.guarded() == now.beingDeleted()) {
            work.pools.ask(now.name());
        }
    }

    @Override
    public void block(@Nullable SeenBlock old, @Nullable SeenBlock now) {
        work.ledger.seen(old, now);
        work.poolStatuses.block(old, now);
        if (now == null) {
            if (old != null) {
                blockGone(old);
            }
            return;
        }
        if (now.node() != null) {
            SeenNode node = view.node(now.node());
            if (node == null) {
                work.orphans.ask(now.node());
            } else if (ForcedReleases.concerns(now, node)) {
                work.releases.ask(now.name());
            }
        }
    }

    private void ignored(Subject about, PoolSwitches.BadValue bad) {
        events.warning(about, "AnnotationIgnored", bad.message());
    }

    private static Subject subject(SeenPool pool) {
        return new Subject(Names.COIL_API, "AddressPool", null, pool.name(), pool.uid());
    }

    private void blockGone(SeenBlock block) {
        work.orphanBlocks.gone(block);
        SeenPool pool = block.pool() == null ? null : view.pool(block.pool());
        if (pool != null && pool.beingDeleted() && work.ledger.count(pool.name()) == 0) {
            work.pools.ask(pool.name());
        }
    }

    @Override
    public void request(@Nullable SeenRequest old, @Nullable SeenRequest now) {
        if (now == null) {
            if (old != null) {
                work.strayRequests.gone(old);
                if (work.granter.hasPromised(old.name())) {
                    work.grants.ask(old.name()); // ends the promise
                }
            }
            return;
        }
        lookAt(now);
    }

    /** As the watch, or a live list, shows it. */
    void lookAt(SeenRequest request) {
        if (request.open()) {
            work.grants.ask(request.name());
        }
        Duration in = work.strayRequests.lookIn(request);
        if (in != null) {
            work.strays.askAfter(request.name(), in);
        }
    }

    @Override
    public void node(@Nullable SeenNode old, @Nullable SeenNode now) {
        String name = Objects.requireNonNull(now == null ? old : now).name();
        work.nodeStates.seen(name, now);
        work.agentStates.look(name);
        if (old == null || now == null) {
            work.poolStatuses.node(name);
        }
        if (now == null) {
            work.orphans.ask(name);
        } else {
            if (old == null) {
                work.orphanBlocks.nodeCame(name);
            }
            if (!now.bad().equals(old == null ? List.of() : old.bad())) {
                now.bad().forEach(bad -> ignored(Subject.node(name), bad));
            }
        }
        boolean another = now == null || old == null || !old.uid().equals(now.uid());
        if (another) {
            view.requests().stream()
                    .filter(r -> name.equals(r.node()))
                    .forEach(r -> request(null, r));
        }
        boolean dead = now != null && (!now.ready() || now.outOfService());
        if (dead) {
            view.blocksOf(name).stream()
                    .filter(b -> ForcedReleases.concerns(b, now))
                    .forEach(b -> work.releases.ask(b.name()));
        }
    }

    @Override
    public void run(@Nullable SeenRun old, @Nullable SeenRun now) {
        if (now == null) {
            if (old != null) {
                work.runs.gone(old.uid());
            }
        } else if (now.open()) {
            work.collections.ask(now.name());
        }
    }

    @Override
    public void agent(@Nullable SeenAgent old, @Nullable SeenAgent now) {
        work.agentStates.look(Objects.requireNonNull(now == null ? old : now).node());
    }

    @Override
    public void usage(@Nullable SeenUsage old, @Nullable SeenUsage now) {
        work.poolStatuses.usage(old, now);
        work.agentStates.look(Objects.requireNonNull(now == null ? old : now).node());
        if (now != null) {
            now.parts().stream()
                    .filter(SeenUsage.Part::finished)
                    .filter(p -> old == null || !old.parts().contains(p))
                    .forEach(p -> work.collections.ask(p.run()));
        }
    }
}
