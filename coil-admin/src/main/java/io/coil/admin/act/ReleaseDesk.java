package io.coil.admin.act;

import io.coil.admin.access.Caller;
import io.coil.admin.problem.Problem;
import io.coil.admin.snapshot.Observed;
import io.coil.admin.snapshot.Snapshot;
import io.coil.admin.snapshot.Spoken;
import io.coil.core.garbage.ForcedRelease;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.Json;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Takes a block from a machine that is dead while its Node object is there. What is asked for here
 * is a deletion and an annotation; the controller takes the block, by the same rule that is applied
 * here before anything is written ({@link ForcedRelease}). The Node and the block are read live.
 */
public final class ReleaseDesk {
    private final Changes changes;
    private final KubeApi api;
    private final Duration nodeGrace;

    /**
     * @param api ours, to read with
     * @param nodeGrace the controller's: how long a node must not have been Ready
     */
    public ReleaseDesk(Changes changes, KubeApi api, Duration nodeGrace) {
        this.changes = changes;
        this.api = api;
        this.nodeGrace = nodeGrace;
    }

    /**
     * What somebody has typed and ticked.
     *
     * @param uid of the block that they have seen; null: whichever has that name
     * @param confirm the block's name once more
     * @param fenced that the machine is off, or cut from the network: nobody but them can know
     */
    public record Order(
            String block, @Nullable String uid, String confirm, boolean fenced, String reason) {}

    /** Refused for a node that is Ready, or has not been so for too short a time. */
    public Done release(Caller caller, Order order) throws InterruptedException {
        String name = order.block();
        return changes.noted(
                new Asked(caller, "release", "block", name, order.reason()),
                warnings -> {
                    Snapshot snapshot = changes.fresh();
                    confirmed(order);
                    Optional<AddressBlock> live = api.get(Kinds.BLOCKS, null, name);
                    if (live.isEmpty() || other(live.get(), order.uid())) {
                        return Missing.block(name, order.uid(), snapshot);
                    }
                    AddressBlock block = live.get();
                    String node = judge(block, order.reason().strip());
                    changes.as(
                            caller,
                            warnings,
                            as -> ask(as, block, order.reason().strip(), warnings));
                    return outcome(block, node);
                });
    }

    private static boolean other(AddressBlock block, @Nullable String uid) {
        return uid != null && !uid.equals(Meta.uid(block.metadata()));
    }

    private static void confirmed(Order order) {
        List<String> errors = new ArrayList<>();
        if (!order.confirm().strip().equals(order.block())) {
            errors.add("to confirm, type the name of the block, " + order.block());
        }
        if (!order.fenced()) {
            errors.add(
                    "say that the machine is off or cut from the network: if it still runs, two pods will have one address");
        }
        if (!errors.isEmpty()) {
            throw Problem.refused(errors).thrown();
        }
    }

    /** Returns the node that it is taken from. */
    private String judge(AddressBlock block, String reason) {
        String name = Meta.name(block.metadata());
        if (block.node() == null) {
            throw no(
                    "Block %s names no node".formatted(name),
                    "There is nobody to take it from. If nobody uses it, delete it with kubectl.");
        }
        Observed.Node node =
                api.get(Kinds.NODES, null, block.node())
                        .map(Observed.Node::of)
                        .orElseThrow(
                                () ->
                                        no(
                                                "Node %s is gone".formatted(block.node()),
                                                "So no force is needed: the controller deletes the block by itself %s after the node went."
                                                        .formatted(Spoken.duration(nodeGrace))));
        Duration notReady = notReadyFor(node);
        String uid = Meta.uid(block.metadata());
        switch (ForcedRelease.decide(
                uid, true, force(uid, reason), node.outOfService(), notReady, nodeGrace)) {
            case ForcedRelease.Release yes -> {}
            case ForcedRelease.Wait(Duration remaining) ->
                    throw no(
                            "Node %s has been not ready for %s only"
                                    .formatted(node.name(), Spoken.duration(notReady)),
                            "A machine counts as dead after %s. If it is, send this again in %s; or mark the node with the taint %s."
                                    .formatted(
                                            Spoken.duration(nodeGrace),
                                            Spoken.duration(remaining.plusSeconds(1)),
                                            ForcedRelease.OUT_OF_SERVICE_TAINT));
            case ForcedRelease.Refuse(String why) ->
                    throw no(
                            "Node %s is alive".formatted(node.name()),
                            node.ready()
                                    ? "It is Ready, so its agent gives the block back, and the block's pods run. Return the block, or drain it so that it empties."
                                    : why + ".");
        }
        return node.name();
    }

    /** Not ready since nobody knows when: for no time that counts. */
    private Duration notReadyFor(Observed.Node node) {
        if (node.ready()) {
            return Duration.ZERO;
        }
        Duration since =
                node.readySince() == null
                        ? Duration.ZERO
                        : Duration.between(node.readySince(), changes.now());
        return since.isPositive() ? since : Duration.ofSeconds(1);
    }

    private static String force(String uid, String reason) {
        return uid + ";" + reason;
    }

    /**
     * The annotation first: whether the caller may is asked with it, before anything is deleted.
     */
    private static boolean ask(
            KubeApi as, AddressBlock block, String reason, List<String> warnings) {
        String name = Meta.name(block.metadata());
        String uid = Meta.uid(block.metadata());
        String patch =
                Json.write(
                        Map.of(
                                "metadata",
                                Map.of("annotations", Map.of(Names.FORCE, force(uid, reason)))));
        AddressBlock _ =
                as.patch(Kinds.BLOCKS, null, name, Preconditions.of(block.metadata()), patch);
        if (Meta.beingDeleted(block.metadata())) {
            return true;
        }
        // It says that the block is not being deleted, which is what comes next.
        warnings.clear();
        try {
            Optional<AddressBlock> _ = as.delete(Kinds.BLOCKS, null, name, Preconditions.uid(uid));
        } catch (ApiFailure.Stale e) {
            if (!e.notFound()) {
                throw half(name, e);
            }
        } catch (ApiFailure e) {
            throw half(name, e);
        }
        return true;
    }

    private static RuntimeException half(String block, ApiFailure failure) {
        Problem said = Problem.of(failure);
        return Problem.of(
                        said.status(),
                        said.title(),
                        "The annotation %s is set, but %s was not deleted; without that it means nothing. Send this again. The Kubernetes API says: %s"
                                .formatted(Names.FORCE, block, failure.getMessage()))
                .thrown();
    }

    private Done outcome(AddressBlock block, String node) throws InterruptedException {
        String name = Meta.name(block.metadata());
        String uid = Meta.uid(block.metadata());
        boolean gone =
                changes.shown(s -> s.block(name).map(b -> !b.uid().equals(uid)).orElse(true));
        return gone
                ? Done.of(
                        Done.State.GONE,
                        "Block %s was taken from %s by force. Another node can get it now."
                                .formatted(name, node))
                : Done.of(
                        Done.State.GOING,
                        "Block %s is being taken from %s by force; the controller does it once it has seen the node not ready for %s itself."
                                .formatted(name, node, Spoken.duration(nodeGrace)));
    }

    private static RuntimeException no(String title, String why) {
        return Problem.of(HttpStatus.CONFLICT, title, why + " Nothing has been done.").thrown();
    }
}
