package io.coil.admin;

import static io.coil.core.settings.Setting.choice;
import static io.coil.core.settings.Setting.duration;
import static io.coil.core.settings.Setting.number;
import static io.coil.core.settings.Setting.text;

import io.coil.admin.history.HistorySettings;
import io.coil.admin.snapshot.Rules;
import io.coil.core.pool.CollectionMode;
import io.coil.core.settings.Setting;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What can be set, read once; {@link #ALL} is what the manual's table is made from. A value that
 * cannot be used ends the start with its name, the value and what is allowed.
 *
 * @param cluster shown on every page, so that nobody acts on the wrong one; empty: not said
 * @param kubeconfig file that says where the API is; null: the cluster that we run in
 * @param rules by which blocks are judged; given to agents and controller under the same names
 * @param concurrentRequests of REST that are served at once
 * @param history where it is kept what was
 */
public record AdminSettings(
        String cluster,
        @Nullable Path kubeconfig,
        Rules rules,
        int concurrentRequests,
        HistorySettings history) {
    private static final Setting<Integer> PORT =
            number("server.port", "8080", 0, 65535, "pages and REST; 0: any free port");
    private static final Setting<Integer> MANAGEMENT_PORT =
            number(
                    "management.server.port",
                    "8081",
                    0,
                    65535,
                    "health and metrics; 0: any free port");
    private static final Setting<String> CLUSTER =
            text("coil.admin.cluster", null, "name of the cluster, shown on every page");
    private static final Setting<Duration> SILENT_AFTER =
            duration(
                    "coil.admin.silent-after",
                    "2m",
                    "1s",
                    "1d",
                    "when an agent whose pod is missing or not ready counts as silent");
    private static final Setting<Integer> CONCURRENT_REQUESTS =
            number(
                    "coil.admin.concurrent-requests",
                    "64",
                    1,
                    10_000,
                    "requests of REST that are served at once; more are answered 429");
    private static final Setting<CollectionMode> COLLECTION =
            choice(
                    "coil.collection",
                    "on",
                    CollectionMode.class,
                    "what agents and controller are told, so that pages say it");
    private static final Setting<Duration> LINGER =
            duration(
                    "coil.agent.linger",
                    "30s",
                    "0s",
                    "1d",
                    "the agents' value: by it an empty block is judged to be surplus");
    private static final Setting<Integer> SPARE_BLOCKS =
            number("coil.agent.spare-blocks", "0", 0, 1000, "the agents' value");
    private static final Setting<Duration> NODE_GRACE =
            duration(
                    "coil.controller.node-grace",
                    "2m",
                    "100ms",
                    "1d",
                    "the controller's value: how long a node may be gone or not ready");
    private static final Setting<String> KUBECONFIG =
            text(
                    "coil.kubeconfig",
                    null,
                    "file that says where the API is; without: the cluster that we run in");

    /** Every setting, for the manual. */
    public static final List<Setting<?>> ALL =
            Stream.concat(
                            Stream.of(
                                    PORT,
                                    MANAGEMENT_PORT,
                                    CLUSTER,
                                    SILENT_AFTER,
                                    CONCURRENT_REQUESTS,
                                    COLLECTION,
                                    LINGER,
                                    SPARE_BLOCKS,
                                    NODE_GRACE,
                                    KUBECONFIG),
                            HistorySettings.ALL.stream())
                    .toList();

    /** Reads all; {@code values} returns null for what is not set. */
    static AdminSettings read(Function<String, @Nullable String> values) {
        PORT.from(values);
        MANAGEMENT_PORT.from(values);
        String cluster = CLUSTER.orNull(values);
        String kubeconfig = KUBECONFIG.orNull(values);
        return new AdminSettings(
                cluster == null ? "" : cluster,
                kubeconfig == null ? null : Path.of(kubeconfig),
                new Rules(
                        COLLECTION.from(values),
                        LINGER.from(values),
                        SPARE_BLOCKS.from(values),
                        NODE_GRACE.from(values),
                        SILENT_AFTER.from(values)),
                CONCURRENT_REQUESTS.from(values),
                HistorySettings.read(values));
    }
}
