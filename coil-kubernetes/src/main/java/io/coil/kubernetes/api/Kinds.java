package io.coil.kubernetes.api;

import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.NodeBlockUsage;
import io.kubernetes.client.openapi.models.CoreV1Event;
import io.kubernetes.client.openapi.models.V1DaemonSet;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;

/** The kinds that we read or write. */
public final class Kinds {
    public static final Kind<AddressPool> POOLS =
            new Kind<>(
                    "coil.cybozu.com",
                    "v2",
                    "addresspools",
                    "AddressPool",
                    false,
                    AddressPool.class);
    public static final Kind<AddressBlock> BLOCKS =
            new Kind<>(
                    "coil.cybozu.com",
                    "v2",
                    "addressblocks",
                    "AddressBlock",
                    false,
                    AddressBlock.class);
    public static final Kind<BlockRequest> REQUESTS =
            new Kind<>(
                    "coil.cybozu.com",
                    "v2",
                    "blockrequests",
                    "BlockRequest",
                    false,
                    BlockRequest.class);
    public static final Kind<NodeBlockUsage> USAGES =
            new Kind<>(
                    "ops.coil.io",
                    "v1alpha1",
                    "nodeblockusages",
                    "NodeBlockUsage",
                    false,
                    NodeBlockUsage.class);
    public static final Kind<GarbageCollection> COLLECTIONS =
            new Kind<>(
                    "ops.coil.io",
                    "v1alpha1",
                    "garbagecollections",
                    "GarbageCollection",
                    false,
                    GarbageCollection.class);
    public static final Kind<V1Node> NODES =
            new Kind<>("", "v1", "nodes", "Node", false, V1Node.class);
    public static final Kind<V1Namespace> NAMESPACES =
            new Kind<>("", "v1", "namespaces", "Namespace", false, V1Namespace.class);
    public static final Kind<V1Pod> PODS = new Kind<>("", "v1", "pods", "Pod", true, V1Pod.class);
    public static final Kind<CoreV1Event> EVENTS =
            new Kind<>("", "v1", "events", "Event", true, CoreV1Event.class);
    public static final Kind<V1Lease> LEASES =
            new Kind<>("coordination.k8s.io", "v1", "leases", "Lease", true, V1Lease.class);
    public static final Kind<V1Deployment> DEPLOYMENTS =
            new Kind<>("apps", "v1", "deployments", "Deployment", true, V1Deployment.class);
    public static final Kind<V1DaemonSet> DAEMON_SETS =
            new Kind<>("apps", "v1", "daemonsets", "DaemonSet", true, V1DaemonSet.class);

    private Kinds() {}
}
