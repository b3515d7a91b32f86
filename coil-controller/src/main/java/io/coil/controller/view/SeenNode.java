package io.coil.controller.view;

import io.coil.core.net.Address;
import io.coil.core.net.InvalidAddressException;
import io.coil.core.pool.CollectionMode;
import io.coil.core.pool.PoolSwitches;
import io.coil.kubernetes.resource.Meta;
import io.kubernetes.client.openapi.models.V1Node;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A node; whole Nodes are never kept.
 *
 * @param outOfService whether it has Kubernetes' taint that says that its machine is off
 * @param addresses its InternalIPs
 * @param bad annotations that are ignored because their values cannot be used
 */
public record SeenNode(
        String name,
        String uid,
        boolean ready,
        boolean outOfService,
        Optional<CollectionMode> collection,
        List<Address> addresses,
        List<PoolSwitches.BadValue> bad) {
    private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

    public static SeenNode of(V1Node node) {
        PoolSwitches.Parsed parsed = PoolSwitches.parse(Meta.annotations(node.getMetadata()));
        return new SeenNode(
                Meta.name(node.getMetadata()),
                Meta.uid(node.getMetadata()),
                ready(node),
                outOfService(node),
                parsed.switches().collection(),
                addresses(node),
                parsed.bad().stream()
                        .filter(b -> b.annotation().equals(PoolSwitches.COLLECTION))
                        .toList());
    }

    private static boolean ready(V1Node node) {
        return node.getStatus() != null
                && node.getStatus().getConditions() != null
                && node.getStatus().getConditions().stream()
                        .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
    }

    private static boolean outOfService(V1Node node) {
        return node.getSpec() != null
                && node.getSpec().getTaints() != null
                && node.getSpec().getTaints().stream()
                        .anyMatch(t -> t.getKey().equals(OUT_OF_SERVICE));
    }

    private static List<Address> addresses(V1Node node) {
        if (node.getStatus() == null || node.getStatus().getAddresses() == null) {
            return List.of();
        }
        return node.getStatus().getAddresses().stream()
                .filter(a -> a.getType().equals("InternalIP"))
                .flatMap(a -> address(a.getAddress()))
                .toList();
    }

    private static Stream<Address> address(String text) {
        try {
            return Stream.of(Address.parse(text));
        } catch (InvalidAddressException e) {
            return Stream.empty();
        }
    }
}
