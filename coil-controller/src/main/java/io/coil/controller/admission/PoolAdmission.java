package io.coil.controller.admission;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenBlock;
import io.coil.controller.view.SeenPool;
import io.coil.core.pool.PoolRules;
import io.coil.core.pool.PoolText;
import io.coil.core.pool.PoolWarnings;
import io.coil.core.pool.Violation;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Finalizers;
import io.coil.kubernetes.resource.Json;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * What is asked about pools. Works on every replica. Advice, not a guarantee: what must hold
 * whatever the webhook did, holds in the grant.
 */
final class PoolAdmission {
    private final KubeApi api;
    private final ClusterView view;

    PoolAdmission(KubeApi api, ClusterView view) {
        this.api = api;
        this.view = view;
    }

    /** A new pool gets its finalizer, so that it stays until its last block is gone. */
    AdmissionReview.Response mutate(AdmissionReview.Request request) {
        AddressPool pool = pool(request.object());
        if (pool == null
                || !request.operation().equals("CREATE")
                || Finalizers.has(pool.metadata())) {
            return AdmissionReview.Response.allowed(request.uid(), List.of());
        }
        // The whole list, for there may be none yet: an element cannot be added to what is not
        // there.
        JsonArray all = new JsonArray();
        Meta.finalizers(pool.metadata()).forEach(all::add);
        all.add(Names.FINALIZER);
        JsonObject add = new JsonObject();
        add.addProperty("op", "add");
        add.addProperty("path", "/metadata/finalizers");
        add.add("value", all);
        byte[] patch = Json.write(List.of(add)).getBytes(StandardCharsets.UTF_8);
        return new AdmissionReview.Response(
                request.uid(),
                true,
                null,
                null,
                "JSONPatch",
                Base64.getEncoder().encodeToString(patch));
    }

    /** The rules for pools; an update is judged only on what it changes. */
    AdmissionReview.Response validate(AdmissionReview.Request request) {
        AddressPool pool = pool(request.object());
        if (pool == null) {
            return AdmissionReview.Response.allowed(request.uid(), List.of());
        }
        PoolText text = text(pool, request);
        AddressPool before = pool(request.oldObject());
        PoolText old = before == null ? null : text(before, request);
        // What others have is read only if this adds something that could meet it.
        boolean adds = old == null || text.subnets().size() > old.subnets().size();
        List<PoolText> others = adds ? others(text.name()) : List.of();
        List<PoolRules.ExistingBlock> blocks = adds ? blocks() : List.of();
        List<Violation> violations =
                old == null
                        ? PoolRules.onCreate(text, others, blocks)
                        : PoolRules.onUpdate(old, text, others, blocks);
        if (!violations.isEmpty()) {
            return AdmissionReview.Response.refused(
                    request.uid(),
                    "pool %s: %s"
                            .formatted(
                                    text.name(),
                                    violations.stream()
                                            .map(Violation::toString)
                                            .collect(Collectors.joining("; "))));
        }
        return AdmissionReview.Response.allowed(
                request.uid(),
                old == null
                        ? PoolWarnings.onCreate(text, nodeAddresses(), blocks)
                        : PoolWarnings.onUpdate(old, text, nodeAddresses()));
    }

    /** Read live: two pools are often made right after each other. */
    private List<PoolText> others(String name) {
        return api.list(Kinds.POOLS, Selection.ALL).items().stream()
                .map(SeenPool::text)
                .filter(p -> !p.name().equals(name))
                .toList();
    }

    private List<PoolRules.ExistingBlock> blocks() {
        return view.blocks().stream()
                .filter(b -> b.range() != null)
                .map(
                        b ->
                                new PoolRules.ExistingBlock(
                                        b.name(), poolOf(b), Objects.requireNonNull(b.range())))
                .toList();
    }

    private static String poolOf(SeenBlock block) {
        return block.pool() == null ? block.toLedger().pool() : block.pool();
    }

    private List<PoolRules.NodeAddress> nodeAddresses() {
        return view.nodes().stream()
                .flatMap(
                        n ->
                                n.addresses().stream()
                                        .map(a -> new PoolRules.NodeAddress(n.name(), a)))
                .toList();
    }

    /** A pool whose name the server is still to make has none yet. */
    private static PoolText text(AddressPool pool, AdmissionReview.Request request) {
        if (pool.metadata().getName() == null) {
            String prefix = Objects.requireNonNullElse(pool.metadata().getGenerateName(), "");
            pool.metadata()
                    .setName(
                            request.name() == null || request.name().isEmpty()
                                    ? prefix + "....."
                                    : request.name());
        }
        return SeenPool.text(pool);
    }

    private static @Nullable AddressPool pool(@Nullable JsonElement object) {
        return object == null || object.isJsonNull()
                ? null
                : Json.GSON.fromJson(object, AddressPool.class);
    }
}
