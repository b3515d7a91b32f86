package io.coil.controller.admission;

import com.google.gson.JsonElement;

import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenBlock;
import io.coil.controller.view.SeenPool;
import io.coil.core.pool.PoolRules;
import io.coil.core.pool.PoolText;
import io.coil.core.pool.Violation;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Finalizers;
import io.coil.kubernetes.resource.Json;
import io.coil.kubernetes.resource.Names;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
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
        boolean none = pool.metadata().getFinalizers() == null;
        Map<String, Object> add =
                none
                        ? Map.of(
                                "op", "add",
                                "path", "/metadata/finalizers",
                                "value", List.of(Names.FINALIZER))
                        : Map.of(
                                "op", "add",
                                "path", "/metadata/finalizers/-",
                                "value", Names.FINALIZER);
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
        AddressPool old = pool(request.oldObject());
        PoolText text = text(pool, request);
        List<Violation> violations =
                old == null
                        ? PoolRules.onCreate(text, others(text.name()), blocks())
                        : onUpdate(text(old, request), text);
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
        boolean specChanged = old == null || !text.subnets().equals(text(old, request).subnets());
        List<String> warnings = specChanged ? PoolRules.warnings(text, nodeAddresses()) : List.of();
        return AdmissionReview.Response.allowed(request.uid(), warnings);
    }

    private List<Violation> onUpdate(PoolText old, PoolText text) {
        return old.equals(text)
                ? List.of()
                : PoolRules.onUpdate(old, text, others(text.name()), blocks());
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
