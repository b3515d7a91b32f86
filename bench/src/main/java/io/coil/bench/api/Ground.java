package io.coil.bench.api;

import io.coil.core.net.Cidr;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Finalizers;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Taint;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * What a benchmark stands on: pools and Node objects of its own, all named and labelled after the
 * run, and everything that comes to lie on them. {@link #sweep} leaves nothing of it.
 */
public final class Ground {
    /** Label of everything that a run makes; its value is the run's name. */
    public static final String LABEL = "ops.coil.io/bench";

    /** The range for benchmarks (RFC 2544): no cluster's pools should be there. */
    private static final Cidr RANGE = Cidr.parse("198.18.0.0/15");

    private static final int BLOCK_BITS = 2;

    /** How many blocks the pools have together. */
    public static final int BLOCKS = 1 << (17 - BLOCK_BITS);

    private final String run;
    private final Lines lines;
    private final List<String> pools;
    private final List<String> nodes;

    public Ground(Lines lines, int nodes, int pools) {
        this.run =
                "bench-"
                        + Integer.toString(
                                ThreadLocalRandom.current()
                                        .nextInt(36 * 36 * 36, 36 * 36 * 36 * 36),
                                36);
        this.lines = lines;
        this.pools = IntStream.range(0, pools).mapToObj(i -> run + "-pool" + i).toList();
        this.nodes = IntStream.range(0, nodes).mapToObj(i -> run + "-node" + i).toList();
    }

    public String run() {
        return run;
    }

    public List<String> nodes() {
        return nodes;
    }

    /** The pool that this node's pods are of. */
    public String poolOf(int node) {
        return pools.get(node % pools.size());
    }

    /** The label for what stands on this ground. */
    public Map<String, String> label() {
        return Map.of(LABEL, run);
    }

    public Selection labelled() {
        return Selection.labelled(LABEL, run);
    }

    /** The range of a block of the only pool. */
    public Cidr blockRange(int index) {
        return RANGE.part(index, BLOCK_BITS);
    }

    public void makePools() throws InterruptedException {
        int parts = Math.max(1, Integer.highestOneBit(2 * pools.size() - 1));
        int bits = RANGE.hostBits() - Integer.numberOfTrailingZeros(parts);
        for (int i = 0; i < pools.size(); i++) {
            AddressPool pool =
                    new AddressPool(
                            Names.COIL_API,
                            Kinds.POOLS.kind(),
                            new V1ObjectMeta().name(pools.get(i)).labels(label()),
                            new AddressPool.Spec(
                                    BLOCK_BITS,
                                    List.of(
                                            new AddressPool.Subnet(
                                                    RANGE.part(i, bits).toString(), null))),
                            null);
            lines.call(api -> api.create(Kinds.POOLS, pool));
        }
    }

    /** Nodes that no scheduler puts a pod on. */
    public void makeNodes() throws InterruptedException {
        lines.each(
                nodes,
                (api, name) ->
                        api.create(
                                Kinds.NODES,
                                new V1Node()
                                        .apiVersion(Kinds.NODES.apiVersion())
                                        .kind(Kinds.NODES.kind())
                                        .metadata(new V1ObjectMeta().name(name).labels(label()))
                                        .spec(
                                                new V1NodeSpec()
                                                        .unschedulable(true)
                                                        .addTaintsItem(
                                                                new V1Taint()
                                                                        .key(LABEL)
                                                                        .effect("NoExecute")))));
    }

    /**
     * Takes everything away, although we were interrupted: that is when it matters most. True:
     * nothing is left.
     */
    public boolean leaveNothing(LeaseCheck lease, PrintStream out) throws InterruptedException {
        boolean interrupted = Thread.interrupted();
        try {
            List<String> left = sweep();
            lease.leaveAsFound();
            out.println(left.isEmpty() ? "Swept: nothing is left." : "Left behind: " + left);
            return left.isEmpty();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Takes everything away; returns the names of what is left all the same. */
    private List<String> sweep() throws InterruptedException {
        List<String> left = List.of();
        // Again, because a call that was given up may still have taken effect.
        for (int round = 0; round < 5; round++) {
            sweep(Kinds.REQUESTS, labelled());
            for (String pool : pools) {
                sweep(Kinds.BLOCKS, Selection.labelled(Names.POOL, pool));
            }
            sweep(Kinds.POOLS, labelled());
            sweep(Kinds.NODES, labelled());
            left = left();
            if (left.isEmpty()) {
                return left;
            }
        }
        return left;
    }

    private List<String> left() throws InterruptedException {
        List<String> left = new ArrayList<>();
        left.addAll(names(Kinds.REQUESTS, labelled()));
        for (String pool : pools) {
            left.addAll(names(Kinds.BLOCKS, Selection.labelled(Names.POOL, pool)));
        }
        left.addAll(names(Kinds.POOLS, labelled()));
        left.addAll(names(Kinds.NODES, labelled()));
        return left;
    }

    private <T extends KubernetesObject> List<String> names(Kind<T> kind, Selection selection)
            throws InterruptedException {
        return lines.call(api -> api.list(kind, selection)).items().stream()
                .map(o -> kind + " " + Meta.name(o.getMetadata()))
                .toList();
    }

    private <T extends KubernetesObject> void sweep(Kind<T> kind, Selection selection)
            throws InterruptedException {
        List<T> found = lines.call(api -> api.list(kind, selection)).items();
        lines.each(found, (api, object) -> remove(api, kind, Meta.name(object.getMetadata())));
    }

    /** By name alone, and with our finalizer taken off: it is ours from beginning to end. */
    private static <T extends KubernetesObject> void remove(
            KubeApi api, Kind<T> kind, String name) {
        try {
            api.delete(kind, null, name, Preconditions.NONE);
            api.get(kind, null, name)
                    .flatMap(o -> Finalizers.without(o.getMetadata()))
                    .ifPresent(patch -> api.patch(kind, null, name, Preconditions.NONE, patch));
        } catch (ApiFailure.Stale gone) {
            // The next round looks again.
            return;
        }
    }
}
