package io.coil.kubernetes.resource;

import io.coil.core.grant.RequestView;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;

import java.time.OffsetDateTime;
import java.util.List;

/**
 * {@code BlockRequest} of Coil v2: a node asks for a block of a pool. Any condition in its status
 * is final.
 */
public record BlockRequest(
        String apiVersion, String kind, V1ObjectMeta metadata, Spec spec, @Nullable Status status)
        implements KubernetesObject {
    public static final String COMPLETE = "Complete";
    public static final String FAILED = "Failed";

    public record Spec(String nodeName, String poolName) {}

    /**
     * Where the request stands.
     *
     * @param addressBlockName the controller's intent, recorded once; with Complete: the block
     */
    public record Status(@Nullable String addressBlockName, @Nullable List<Condition> conditions) {}

    /** {@code type} is Complete or Failed, {@code status} True, False or Unknown. */
    public record Condition(
            String type,
            String status,
            @Nullable String reason,
            @Nullable String message,
            @Nullable OffsetDateTime lastProbeTime,
            @Nullable OffsetDateTime lastTransitionTime) {}

    public @Nullable String intent() {
        return status == null ? null : status.addressBlockName();
    }

    public @Nullable Condition condition(String type) {
        if (status == null || status.conditions() == null) {
            return null;
        }
        return status.conditions().stream()
                .filter(c -> c.type().equals(type))
                .findFirst()
                .orElse(null);
    }

    /** Nobody has answered yet. */
    public boolean open() {
        return status == null || status.conditions() == null || status.conditions().isEmpty();
    }

    public boolean complete() {
        Condition c = condition(COMPLETE);
        return c != null && c.status().equals("True") && !failed();
    }

    /** Coil's controller may set Complete beside Failed; then it has failed. */
    public boolean failed() {
        Condition c = condition(FAILED);
        return c != null && c.status().equals("True");
    }

    public RequestView toCore() {
        return new RequestView(
                Meta.uid(metadata),
                spec.nodeName(),
                spec.poolName(),
                intent(),
                Meta.beingDeleted(metadata),
                !open());
    }

    @Override
    public V1ObjectMeta getMetadata() {
        return metadata;
    }

    @Override
    public String getApiVersion() {
        return apiVersion;
    }

    @Override
    public String getKind() {
        return kind;
    }
}
