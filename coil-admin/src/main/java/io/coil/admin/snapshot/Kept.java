package io.coil.admin.snapshot;

import io.coil.core.garbage.ForcedRelease;
import io.coil.core.net.Address;
import io.coil.core.net.InvalidAddressException;
import io.coil.core.pool.CollectionMode;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.SwitchedBy;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeAddress;
import io.kubernetes.client.openapi.models.V1NodeCondition;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodCondition;
import io.kubernetes.client.openapi.models.V1PodIP;
import io.kubernetes.client.openapi.models.V1PodStatus;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What is kept of each object; the rest is let go as soon as it has been read. */
final class Kept {
    private static final String COMPONENT = "app.kubernetes.io/component";
    private static final Set<String> AGENTS = Set.of("coil-agent", "coild");

    private Kept() {}

    /** Everything but the log of who changed which field, which is most of an object. */
    static <T extends KubernetesObject> T whole(T object) {
        object.getMetadata().setManagedFields(null);
        return object;
    }

    static Observed.Node node(V1Node node) {
        Optional<V1NodeCondition> ready =
                Optional.ofNullable(node.getStatus())
                        .flatMap(s -> Optional.ofNullable(s.getConditions()))
                        .flatMap(
                                all ->
                                        all.stream()
                                                .filter(c -> "Ready".equals(c.getType()))
                                                .findFirst());
        String mode = Meta.annotation(node.getMetadata(), Names.COLLECTION);
        return new Observed.Node(
                Meta.name(node.getMetadata()),
                Meta.uid(node.getMetadata()),
                Times.instant(node.getMetadata().getCreationTimestamp()),
                // Without the condition nobody has said anything yet: not a reason to worry.
                ready.map(c -> "True".equals(c.getStatus())).orElse(true),
                ready.map(c -> Times.instant(c.getLastTransitionTime())).orElse(null),
                internalAddresses(node),
                outOfService(node),
                mode == null ? null : CollectionMode.parse(mode).orElse(null),
                SwitchedBy.of(
                                Meta.annotations(node.getMetadata()),
                                Names.COLLECTION,
                                Names.COLLECTION_BY)
                        .orElse(null));
    }

    private static boolean outOfService(V1Node node) {
        return node.getSpec() != null
                && node.getSpec().getTaints() != null
                && node.getSpec().getTaints().stream()
                        .anyMatch(t -> ForcedRelease.OUT_OF_SERVICE_TAINT.equals(t.getKey()));
    }

    private static List<String> internalAddresses(V1Node node) {
        if (node.getStatus() == null || node.getStatus().getAddresses() == null) {
            return List.of();
        }
        return node.getStatus().getAddresses().stream()
                .filter(a -> "InternalIP".equals(a.getType()))
                .map(V1NodeAddress::getAddress)
                .toList();
    }

    /** Null for pods that have no address of a pool, and are no agents. */
    static Observed.@Nullable Pod pod(V1Pod pod) {
        String component = Meta.label(pod.getMetadata(), COMPONENT);
        boolean agent = component != null && AGENTS.contains(component);
        V1PodStatus status = pod.getStatus();
        String phase = status == null || status.getPhase() == null ? "" : status.getPhase();
        boolean over = phase.equals("Succeeded") || phase.equals("Failed");
        boolean ofHost =
                pod.getSpec() != null && Boolean.TRUE.equals(pod.getSpec().getHostNetwork());
        List<Address> addresses = over || ofHost ? List.of() : addresses(status);
        if (addresses.isEmpty() && !agent) {
            return null;
        }
        Optional<V1PodCondition> ready =
                Optional.ofNullable(status)
                        .flatMap(s -> Optional.ofNullable(s.getConditions()))
                        .flatMap(
                                all ->
                                        all.stream()
                                                .filter(c -> "Ready".equals(c.getType()))
                                                .findFirst());
        Instant started = status == null ? null : Times.instant(status.getStartTime());
        return new Observed.Pod(
                String.valueOf(pod.getMetadata().getNamespace()),
                Meta.name(pod.getMetadata()),
                Meta.uid(pod.getMetadata()),
                pod.getSpec() == null ? null : pod.getSpec().getNodeName(),
                phase,
                addresses,
                started,
                agent,
                ready.map(c -> "True".equals(c.getStatus())).orElse(false),
                ready.map(c -> Times.instant(c.getLastTransitionTime())).orElse(started));
    }

    private static List<Address> addresses(@Nullable V1PodStatus status) {
        List<Address> addresses = new ArrayList<>(2);
        if (status == null) {
            return addresses;
        }
        if (status.getPodIPs() != null) {
            for (V1PodIP ip : status.getPodIPs()) {
                add(addresses, ip.getIp());
            }
        }
        if (addresses.isEmpty()) {
            add(addresses, status.getPodIP());
        }
        return List.copyOf(addresses);
    }

    private static void add(List<Address> addresses, @Nullable String text) {
        if (text == null || text.isEmpty()) {
            return;
        }
        try {
            addresses.add(Address.parse(text));
        } catch (InvalidAddressException e) {
            // Another network plugin's spelling; such a pod has none of our addresses.
            return;
        }
    }
}
