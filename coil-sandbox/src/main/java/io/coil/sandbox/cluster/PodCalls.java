package io.coil.sandbox.cluster;

import io.coil.kubernetes.api.ApiFailure;

/**
 * The two calls that a scheduler and a kubelet make and no other client does.
 *
 * <p>Both throw {@link ApiFailure}.
 */
public interface PodCalls {

    /** Gives the pod a node, as POST to its {@code binding} does. */
    void bind(String namespace, String name, String uid, String node);

    /** Ends a graceful deletion: deletes that very pod with a grace period of zero. */
    void remove(String namespace, String name, String uid);
}
