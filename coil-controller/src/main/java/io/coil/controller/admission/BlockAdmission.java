package io.coil.controller.admission;

import com.google.gson.JsonElement;

import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenBlock;
import io.coil.controller.view.SeenNode;
import io.coil.core.garbage.ForcedRelease;
import io.coil.core.pool.PoolSwitches;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.Json;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Map;

/**
 * What is asked about blocks, and only when an annotation of ours is set or changed: by the rule in
 * the configuration, for neither a grant nor a return may depend on the webhook.
 */
final class BlockAdmission {
    private static final Logger AUDIT = LoggerFactory.getLogger("io.coil.audit");

    private final ClusterView view;
    private final ReleaseRight right;

    BlockAdmission(KubeApi api, ClusterView view) {
        this.view = view;
        this.right = new ReleaseRight(api);
    }

    AdmissionReview.Response validate(AdmissionReview.Request request) {
        AddressBlock block = block(request.object());
        if (block == null) {
            return AdmissionReview.Response.allowed(request.uid(), List.of());
        }
        AddressBlock old = block(request.oldObject());
        Map<String, String> before = old == null ? Map.of() : Meta.annotations(old.metadata());
        Map<String, String> now = Meta.annotations(block.metadata());
        String bad = ChangedSwitches.refusal(before, now, List.of(PoolSwitches.DRAIN));
        if (bad != null) {
            return AdmissionReview.Response.refused(request.uid(), "block: " + bad);
        }
        String force = now.get(Names.FORCE);
        return force == null || force.equals(before.get(Names.FORCE))
                ? AdmissionReview.Response.allowed(request.uid(), List.of())
                : force(request, old == null ? null : block, force);
    }

    /** {@code block} is null if it is about to be made. */
    private AdmissionReview.Response force(
            AdmissionReview.Request request, @Nullable AddressBlock block, String value) {
        if (block == null) {
            return AdmissionReview.Response.refused(
                    request.uid(),
                    "a block that is made is not released: leave out " + Names.FORCE);
        }
        String name = Meta.name(block.metadata());
        String uid = Meta.uid(block.metadata());
        ForcedRelease.Force force = ForcedRelease.Force.parse(value).orElse(null);
        if (force == null || !force.blockUid().equals(uid)) {
            return AdmissionReview.Response.refused(
                    request.uid(),
                    "block %s: the annotation %s is \"%s\", it must be \"%s;<reason>\": the UID of this block and why it is released"
                            .formatted(name, Names.FORCE, value, uid));
        }
        if (!right.has(request.userInfo(), name)) {
            return AdmissionReview.Response.forbidden(
                    request.uid(),
                    "user \"%s\" may not release the block %s by force: that needs the verb \"release\" on addressblocks"
                            .formatted(request.userInfo().username(), name));
        }
        AUDIT.atWarn()
                .addKeyValue("block", name)
                .addKeyValue("uid", uid)
                .addKeyValue("user", request.userInfo().username())
                .addKeyValue("reason", force.reason())
                .log("release by force allowed");
        return AdmissionReview.Response.allowed(request.uid(), warnings(SeenBlock.of(block)));
    }

    /** What keeps it from being released now. */
    private List<String> warnings(SeenBlock block) {
        if (!block.beingDeleted()) {
            return List.of(
                    "block %s is not being deleted: it is released once you delete it"
                            .formatted(block.name()));
        }
        SeenNode node = block.node() == null ? null : view.node(block.node());
        return node != null && node.ready()
                ? List.of(
                        "node %s is Ready: its agent gives the block back, force has no effect while it is"
                                .formatted(node.name()))
                : List.of();
    }

    private static @Nullable AddressBlock block(@Nullable JsonElement object) {
        return object == null || object.isJsonNull()
                ? null
                : Json.GSON.fromJson(object, AddressBlock.class);
    }
}
