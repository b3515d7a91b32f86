package io.coil.admin.snapshot;

import io.coil.core.pool.CollectionMode;
import io.coil.kubernetes.resource.NodeBlockUsage;
import io.coil.kubernetes.resource.SwitchedBy;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A node with the blocks that it holds; also one whose Node object is gone while its blocks are
 * there.
 *
 * @param uid null if no Node of that name exists
 * @param readySince when its readiness last changed
 * @param agentSince since when the agent is in that state, if that is known
 * @param mode the strictest collection mode of all and of this node
 * @param ownMode what the node's annotation says; null if it says nothing
 * @param collectionBy who set that; null if that is not known
 * @param pools by pool name, only pools of which it holds blocks
 * @param runs its parts of collections, as reported
 */
public record NodeView(
        String name,
        @Nullable String uid,
        boolean ready,
        @Nullable Instant readySince,
        List<String> addresses,
        AgentState agent,
        @Nullable Instant agentSince,
        @Nullable String agentVersion,
        @Nullable Instant agentStarted,
        @Nullable Instant reported,
        CollectionMode mode,
        @Nullable CollectionMode ownMode,
        @Nullable SwitchedBy collectionBy,
        List<BlockView> blocks,
        Map<String, Share> pools,
        Share total,
        List<Finding> findings,
        List<NodeBlockUsage.Run> runs) {

    public boolean exists() {
        return uid != null;
    }

    public Share of(String pool) {
        return pools.getOrDefault(pool, Share.NONE);
    }

    NodeView with(List<Finding> found) {
        return new NodeView(
                name,
                uid,
                ready,
                readySince,
                addresses,
                agent,
                agentSince,
                agentVersion,
                agentStarted,
                reported,
                mode,
                ownMode,
                collectionBy,
                blocks,
                pools,
                total,
                found,
                runs);
    }
}
