package io.coil.kubernetes.resource;

import io.coil.core.garbage.Selection;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;

/**
 * A collection that somebody asked for, and what it did. Its status is written by the leading
 * controller alone.
 */
public record GarbageCollection(
        String apiVersion,
        String kind,
        V1ObjectMeta metadata,
        @Nullable Spec spec,
        @Nullable Status status)
        implements KubernetesObject {

    /**
     * What is asked.
     *
     * @param nodes names; none means all (the same for pools and blocks; all given must match)
     * @param dryRun find, change nothing
     * @param plan name of a finished dry run, at most 30 minutes old, whose items are to be done
     */
    public record Spec(
            @Nullable List<String> nodes,
            @Nullable List<String> pools,
            @Nullable List<String> blocks,
            @Nullable Boolean dryRun,
            @Nullable String plan,
            @Nullable String reason) {

        public boolean planOnly() {
            return Boolean.TRUE.equals(dryRun);
        }

        public Selection toCore() {
            return new Selection(set(nodes), set(pools), set(blocks));
        }

        private static Set<String> set(@Nullable List<String> names) {
            return names == null ? Set.of() : Set.copyOf(names);
        }
    }

    /**
     * How it goes.
     *
     * @param phase Running, Completed or Failed; none before the controller has seen it
     * @param expected nodes whose agents have a part in it
     * @param unanswered nodes that have not finished their part
     * @param rest items beyond those listed
     */
    public record Status(
            @Nullable String phase,
            @Nullable String message,
            long found,
            long done,
            long failed,
            long kept,
            @Nullable List<RunItem> items,
            long rest,
            @Nullable List<String> expected,
            @Nullable List<String> unanswered,
            @Nullable OffsetDateTime started,
            @Nullable OffsetDateTime finished) {
        public static final String RUNNING = "Running";
        public static final String COMPLETED = "Completed";
        public static final String FAILED = "Failed";
    }

    public boolean finished() {
        return status != null
                && (Status.COMPLETED.equals(status.phase())
                        || Status.FAILED.equals(status.phase()));
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
