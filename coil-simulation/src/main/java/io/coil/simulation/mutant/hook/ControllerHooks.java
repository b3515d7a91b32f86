package io.coil.simulation.mutant.hook;

import io.coil.controller.grant.Ledger;
import io.coil.controller.view.ClusterChanges;
import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenBlock;
import io.coil.core.garbage.StrayRequest;
import io.coil.core.grant.FailReason;
import io.coil.core.grant.GrantDecision;
import io.coil.core.ledger.Choice;
import io.coil.core.ledger.PoolLedger;
import io.coil.core.pool.PoolSpec;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.KubeApi.Listing;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Finalizers;
import io.coil.kubernetes.resource.Meta;
import io.coil.simulation.api.DirectApi;
import io.coil.simulation.api.Server;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** What a controller does otherwise. */
public final class ControllerHooks {
    private static final ThreadLocal<@Nullable BlockRequest> LOOKED_AT = new ThreadLocal<>();

    private ControllerHooks() {}

    /** Failed requests count as open. */
    public static boolean openOrFailed(BlockRequest request) {
        return request.open() || request.failed();
    }

    /** Complete requests count as open. */
    public static boolean openOrComplete(BlockRequest request) {
        return request.open() || request.complete();
    }

    /** "Out of blocks" is judged before the intent is finished. */
    public static GrantDecision exhaustedFirst(
            GrantDecision decision, String intent, PoolSpec spec, PoolLedger ledger) {
        return ledger.choose(spec) instanceof Choice.Exhausted(var usage)
                ? new GrantDecision.Fail(FailReason.EXHAUSTED, usage.sentence())
                : decision;
    }

    /** An index that is another's is given up, and another one is chosen. */
    public static boolean chooseAnother(
            Object granter, BlockRequest request, FailReason reason, String message) {
        if (reason != FailReason.INDEX_TAKEN) {
            return false;
        }
        KubeApi api = Peek.field(granter, "api", KubeApi.class);
        api.replaceStatus(
                Kinds.REQUESTS,
                with(request, new BlockRequest.Status(null, List.of()), request.metadata()));
        return true;
    }

    /** An intent is written as if the request were still as it was read. */
    public static boolean lastWriterWins(Server server, String who, Object body, Object part) {
        ObjectNode tree = Peek.field(body, "tree", ObjectNode.class);
        JsonNode status = tree.path("status");
        if (Peek.field(body, "kind", Kind.class).equals(Kinds.REQUESTS)
                && status.has("addressBlockName")
                && status.path("conditions").isEmpty()) {
            String name = Peek.field(body, "name", String.class);
            new DirectApi(server, who)
                    .get(Kinds.REQUESTS, null, name)
                    .ifPresent(now -> sameVersion((ObjectNode) tree.path("metadata"), now));
        }
        return false;
    }

    private static void sameVersion(ObjectNode written, BlockRequest now) {
        written.put("uid", Meta.uid(now.metadata()));
        written.put("resourceVersion", now.metadata().getResourceVersion());
    }

    private static BlockRequest with(
            BlockRequest request, BlockRequest.@Nullable Status status, V1ObjectMeta metadata) {
        return new BlockRequest(
                request.apiVersion(), request.kind(), metadata, request.spec(), status);
    }

    /** Takes the finalizer off whatever has that name by now. */
    public static void finalizerByName(KubeApi api, Kind<AddressPool> kind, AddressPool read) {
        Finalizers.without(read.metadata())
                .ifPresent(
                        patch -> {
                            try {
                                api.patch(
                                        kind,
                                        null,
                                        Meta.name(read.metadata()),
                                        Preconditions.NONE,
                                        patch);
                            } catch (ApiFailure.Stale e) {
                                if (!e.notFound()) {
                                    throw e;
                                }
                            }
                        });
    }

    /** Remembers what a leader sees, by the API that it writes to. */
    public static void noteView(ClusterView view, @Nullable ClusterChanges told, Object duty) {
        Memory.put(view, "view", Peek.field(duty, "api", KubeApi.class));
    }

    private static List<SeenBlock> seen(KubeApi api, @Nullable String pool) {
        ClusterView view = (ClusterView) Objects.requireNonNull(Memory.get("view", api));
        return view.blocks().stream()
                .filter(b -> pool == null || pool.equals(b.pool()))
                .sorted(Comparator.comparing(SeenBlock::name))
                .toList();
    }

    /** Blocks of a pool as the watch shows them: only how many is true. */
    public static Listing<?> listFromView(KubeApi api, Kind<?> kind, Selection selection) {
        String label = String.valueOf(selection.labels());
        int count = seen(api, label.substring(label.indexOf('=') + 1)).size();
        AddressPool any = new AddressPool("", "", new V1ObjectMeta(), null, null);
        return new Listing<>(Collections.nCopies(count, any), "0");
    }

    /** The ledger is told what the watch shows. */
    public static void listedFromView(
            Ledger ledger,
            Ledger.Listing listing,
            @Nullable String pool,
            Collection<SeenBlock> live,
            Object liveBlocks) {
        ledger.listed(listing, pool, seen(Peek.field(liveBlocks, "api", KubeApi.class), pool));
    }

    /** Which request is judged. */
    public static boolean noteRequest(boolean open, BlockRequest request) {
        LOOKED_AT.set(request);
        return open;
    }

    /** Complete requests count as not fetched at once. */
    public static StrayRequest decideEagerly(
            Set<String> owners,
            @Nullable String node,
            boolean finished,
            Duration finishedFor,
            Duration fetchedWithin) {
        BlockRequest request = LOOKED_AT.get();
        boolean complete = request != null && request.complete();
        return StrayRequest.decide(
                owners, node, finished, finishedFor, complete ? Duration.ZERO : fetchedWithin);
    }

    /** They are looked at at once. */
    public static Duration atOnce(Duration within, Duration answeredFor) {
        return Duration.ZERO;
    }
}
