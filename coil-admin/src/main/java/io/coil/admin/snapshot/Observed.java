package io.coil.admin.snapshot;

import io.coil.core.net.Address;
import io.coil.core.pool.CollectionMode;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.NodeBlockUsage;
import io.coil.kubernetes.resource.SwitchedBy;
import io.kubernetes.client.openapi.models.V1Node;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * What the watches have seen, from which an image is made.
 *
 * @param namespaces pool by namespace, only of namespaces that name one
 * @param now wall clock
 * @param watching for how long everything has been watched; something missing for less than that is
 *     not taken for missing
 */
public record Observed(
        Collection<AddressPool> pools,
        Collection<AddressBlock> blocks,
        Collection<BlockRequest> requests,
        Collection<Node> nodes,
        Collection<NodeBlockUsage> usages,
        Collection<GarbageCollection> runs,
        Collection<Pod> pods,
        Map<String, String> namespaces,
        Instant now,
        Duration watching) {

    /**
     * What is kept of a Node.
     *
     * @param outOfService whether somebody vouches, by the taint, that the machine is off
     * @param mode what its annotation says; null if it says nothing
     * @param collectionBy who set that; null if that is not known
     */
    public record Node(
            String name,
            String uid,
            @Nullable Instant created,
            boolean ready,
            @Nullable Instant readySince,
            List<String> addresses,
            boolean outOfService,
            @Nullable CollectionMode mode,
            @Nullable SwitchedBy collectionBy) {

        public static Node of(V1Node node) {
            return Kept.node(node);
        }
    }

    /**
     * What is kept of a pod: enough to say who has an address, and whether a node's agent is well.
     *
     * @param agent whether it is an agent, ours or Coil's
     */
    public record Pod(
            String namespace,
            String name,
            String uid,
            @Nullable String node,
            String phase,
            List<Address> addresses,
            @Nullable Instant started,
            boolean agent,
            boolean ready,
            @Nullable Instant readySince) {

        @Override
        public String toString() {
            return namespace + "/" + name;
        }
    }
}
