package io.coil.controller;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Agents that ask, each for one block; and ask anew when an index was taken, as they do. */
final class Asking {
    private static final String INDEX_TAKEN = "IndexTaken";

    private final Cluster cluster;
    private final List<BlockRequest> asked = new ArrayList<>();
    private int anew;

    Asking(Cluster cluster) {
        this.cluster = cluster;
    }

    void ask(String node, String pool) {
        asked.add(cluster.request("req-%d".formatted(asked.size()), node, pool));
    }

    /** Waits until each is answered for good; the answers in the order of asking. */
    List<BlockRequest> answers(Duration most) {
        Cluster.within(
                most,
                () -> {
                    boolean all = true;
                    for (int i = 0; i < asked.size(); i++) {
                        BlockRequest now = cluster.reread(asked.get(i));
                        if (now.failed() && reason(now).equals(INDEX_TAKEN)) {
                            cluster.api.delete(
                                    Kinds.REQUESTS,
                                    null,
                                    Meta.name(now.metadata()),
                                    Preconditions.of(now.metadata()));
                            anew++;
                            asked.set(
                                    i,
                                    cluster.request(
                                            "req-%d-%d".formatted(i, anew),
                                            now.spec().nodeName(),
                                            now.spec().poolName()));
                            all = false;
                        } else {
                            all &= !now.open();
                        }
                    }
                    return all;
                });
        return asked.stream().map(cluster::reread).toList();
    }

    /** How often an index was taken and the agent asked anew. */
    int anew() {
        return anew;
    }

    static String reason(BlockRequest failed) {
        return String.valueOf(
                Objects.requireNonNull(failed.condition(BlockRequest.FAILED)).reason());
    }
}
