package io.coil.kubernetes.resource;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;

import java.time.OffsetDateTime;
import java.util.List;

/**
 * What the agent of a node says of it. Same name as the Node, owned by it, written by that agent
 * alone.
 */
public record NodeBlockUsage(
        String apiVersion,
        String kind,
        V1ObjectMeta metadata,
        @Nullable Report report,
        @Nullable List<Run> runs)
        implements KubernetesObject {

    /**
     * The node as the agent sees it.
     *
     * @param agentVersion version of the agent's program
     * @param time when the report was written, wall clock of the node
     * @param agentStarted when the agent started
     * @param collection the mode in force on this node: on, manual or off
     */
    public record Report(
            String agentVersion,
            OffsetDateTime time,
            @Nullable OffsetDateTime agentStarted,
            @Nullable String collection,
            @Nullable List<Block> blocks) {}

    /**
     * One block.
     *
     * @param capacity addresses in it, decimal text (exact beyond 2^63)
     * @param used addresses given to containers
     * @param bitmap for up to 256 addresses: hexadecimal, address 0 is the lowest bit of the first
     *     byte
     * @param emptySince when it became empty; null while used
     * @param state serving, spare, returning, drained or reserved
     */
    public record Block(
            String name,
            @Nullable String uid,
            String pool,
            String capacity,
            long used,
            @Nullable String bitmap,
            @Nullable OffsetDateTime emptySince,
            String state) {}

    /**
     * This agent's part of a collection.
     *
     * @param run name of the GarbageCollection
     * @param uid its UID
     * @param state Waiting (until the agent has rebuilt), Running or Finished
     * @param found what was found; done, failed: what became of it
     * @param rest items beyond those listed
     */
    public record Run(
            String run,
            String uid,
            String state,
            long found,
            long done,
            long failed,
            @Nullable List<RunItem> items,
            long rest) {
        public static final String WAITING = "Waiting";
        public static final String RUNNING = "Running";
        public static final String FINISHED = "Finished";
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
