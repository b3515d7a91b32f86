package io.coil.controller.settings;

import static io.coil.core.settings.Setting.choice;
import static io.coil.core.settings.Setting.duration;
import static io.coil.core.settings.Setting.number;
import static io.coil.core.settings.Setting.text;

import io.coil.core.pool.CollectionMode;
import io.coil.core.settings.BadSettingException;
import io.coil.core.settings.Setting;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Everything that can be set, read once. {@link #ALL} is what the manual's table is made from.
 *
 * @param identity who holds the lease; unique among replicas
 * @param collection for everything; pools and nodes can only be stricter
 * @param requestPoll how often open requests are looked at again, and listed if their watch has
 *     been silent all that time
 * @param strayAge how long a complete or failed request may wait to be fetched
 * @param silentAfter how long a Ready node's agent may be missing or not Ready
 */
public record ControllerSettings(
        String identity,
        CollectionMode collection,
        int grantsInFlight,
        Duration nodeGrace,
        Duration collectionInterval,
        Duration runDeadline,
        Duration runTtl,
        int runsKept,
        Duration poolStatusInterval,
        Duration requestPoll,
        Duration strayAge,
        Duration silentAfter,
        LeaseTimes lease,
        PortSettings ports,
        WebhookSettings webhook,
        @Nullable String kubeconfig) {

    private static final Setting<String> IDENTITY =
            text(
                    "coil.controller.identity",
                    null,
                    "who holds the lease; default: the host's name and a random part");
    private static final Setting<CollectionMode> COLLECTION =
            choice(
                    "coil.collection",
                    "on",
                    CollectionMode.class,
                    "whether anything is collected; the strictest of this, the pool's and the"
                            + " node's annotation holds");
    private static final Setting<Integer> GRANTS =
            number("coil.controller.grants-in-flight", "32", 1, 1000, "grants at once");
    private static final Setting<Duration> NODE_GRACE =
            duration(
                    "coil.controller.node-grace",
                    "2m",
                    "100ms",
                    "1d",
                    "from \"no Node of that name\" to orphan; and how long a Node must not be Ready"
                            + " before force is accepted");
    private static final Setting<Duration> COLLECTION_INTERVAL =
            duration(
                    "coil.controller.collection-interval",
                    "10m",
                    "1s",
                    "1d",
                    "periodic collection, 10 % jitter");
    private static final Setting<Duration> RUN_DEADLINE =
            duration(
                    "coil.controller.run-deadline",
                    "60s",
                    "1s",
                    "1h",
                    "when a run is closed without the silent nodes");
    private static final Setting<Duration> RUN_TTL =
            duration("coil.controller.run-ttl", "24h", "1s", "365d", "how long finished runs stay");
    private static final Setting<Integer> RUNS_KEPT =
            number(
                    "coil.controller.runs-kept",
                    "100",
                    1,
                    10_000,
                    "finished runs beyond this many go, the oldest first");
    private static final Setting<Duration> POOL_STATUS =
            duration(
                    "coil.controller.pool-status-interval",
                    "10s",
                    "100ms",
                    "1h",
                    "a pool's status is written at most so often, and only if it changed");
    private static final Setting<Duration> REQUEST_POLL =
            duration(
                    "coil.controller.request-poll",
                    "10s",
                    "100ms",
                    "1h",
                    "how often open requests are looked at again, and listed if their watch was silent all that time");
    private static final Setting<Duration> STRAY_AGE =
            duration(
                    "coil.controller.stray-age",
                    "10m",
                    "1s",
                    "1d",
                    "how long a complete or failed request may wait to be fetched");
    private static final Setting<Duration> SILENT_AFTER =
            duration(
                    "coil.controller.silent-after",
                    "2m",
                    "100ms",
                    "1d",
                    "how long the agent of a Ready node may be missing or not Ready before it is"
                            + " reported");
    private static final Setting<String> KUBECONFIG =
            text(
                    "coil.kubeconfig",
                    null,
                    "file that says where the API is; without: the cluster that we run in");

    /** Every setting, for the manual. */
    public static final List<Setting<?>> ALL =
            Stream.of(
                            List.of(
                                    IDENTITY,
                                    COLLECTION,
                                    GRANTS,
                                    NODE_GRACE,
                                    COLLECTION_INTERVAL,
                                    RUN_DEADLINE,
                                    RUN_TTL,
                                    RUNS_KEPT,
                                    POOL_STATUS,
                                    REQUEST_POLL,
                                    STRAY_AGE,
                                    SILENT_AFTER),
                            LeaseTimes.ALL,
                            PortSettings.ALL,
                            WebhookSettings.ALL,
                            List.<Setting<?>>of(KUBECONFIG))
                    .<Setting<?>>flatMap(List::stream)
                    .toList();

    /**
     * Reads all.
     *
     * @param values text by name, null where nothing is set
     * @param identity if none is set
     * @throws BadSettingException for the first value that is not allowed
     */
    public static ControllerSettings read(
            Function<String, @Nullable String> values, String identity) {
        String ownIdentity = IDENTITY.orNull(values);
        return new ControllerSettings(
                ownIdentity == null ? identity : ownIdentity,
                COLLECTION.from(values),
                GRANTS.from(values),
                NODE_GRACE.from(values),
                COLLECTION_INTERVAL.from(values),
                RUN_DEADLINE.from(values),
                RUN_TTL.from(values),
                RUNS_KEPT.from(values),
                POOL_STATUS.from(values),
                REQUEST_POLL.from(values),
                STRAY_AGE.from(values),
                SILENT_AFTER.from(values),
                LeaseTimes.read(values),
                PortSettings.read(values),
                WebhookSettings.read(values),
                KUBECONFIG.orNull(values));
    }
}
