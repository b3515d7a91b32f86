package io.coil.simulation.world;

import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A pod on a node, as the kubelet and the runtime there know it; it outlives their processes. */
final class Pod {
    /** What became of the container that runs. */
    enum Fate {
        RUNS,
        DIED,
        FORGOTTEN
    }

    private final String namespace;
    private final String name;
    private final List<String> leftovers = new ArrayList<>();
    private Timeline.@Nullable Signal news;
    private @Nullable String container;
    private Fate fate = Fate.RUNS;
    private boolean deleted;
    private int sandboxes;
    private String trouble = "";

    Pod(String namespace, String name) {
        this.namespace = namespace;
        this.name = name;
    }

    String namespace() {
        return namespace;
    }

    String name() {
        return name;
    }

    /** Its pool: there are two, and each namespace has one. */
    String pool() {
        return namespace;
    }

    boolean deleted() {
        return deleted;
    }

    void delete() {
        deleted = true;
        tell();
    }

    /** The container that runs, or null. */
    @Nullable String container() {
        return container;
    }

    void runs(String id) {
        container = id;
        fate = Fate.RUNS;
    }

    void runsNoMore() {
        container = null;
    }

    Fate fate() {
        return fate;
    }

    void meets(Fate its) {
        if (container != null) {
            fate = its;
            tell();
        }
    }

    /** Sandboxes that still need a DEL. */
    List<String> leftovers() {
        return leftovers;
    }

    String nextSandbox() {
        sandboxes++;
        return name + "." + sandboxes;
    }

    int sandboxes() {
        return sandboxes;
    }

    /** Why the last ADD failed. */
    String trouble() {
        return trouble;
    }

    void trouble(String why) {
        trouble = why;
    }

    void listen(Timeline.Signal signal) {
        news = signal;
    }

    /** Waits for news; false if there was none. */
    boolean await(Duration max) throws InterruptedException {
        return news != null && news.await(max);
    }

    private void tell() {
        if (news != null) {
            news.raise();
        }
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
