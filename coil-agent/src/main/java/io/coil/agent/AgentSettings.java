package io.coil.agent;

import static io.coil.core.settings.Setting.choice;
import static io.coil.core.settings.Setting.duration;
import static io.coil.core.settings.Setting.flag;
import static io.coil.core.settings.Setting.number;
import static io.coil.core.settings.Setting.port;
import static io.coil.core.settings.Setting.text;

import io.coil.core.pool.CollectionMode;
import io.coil.core.settings.BadSettingException;
import io.coil.core.settings.Setting;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Everything that an agent can be told, read once. {@link #ALL} is what the manual's table is made
 * from.
 *
 * @param nodeName the node it serves; at most 63 characters, because it is a label's value
 * @param clearRoutesOnShutdown whether an agent whose Node is gone empties the exported routes at
 *     its end
 * @param requestPoll how often an awaited request is read, besides its watch
 * @param version of the program, for reports
 */
public record AgentSettings(
        String nodeName,
        Duration addWait,
        Duration demandHold,
        Duration linger,
        int spareBlocks,
        Duration grace,
        Duration collectionInterval,
        Duration reportInterval,
        Duration reuseDelay,
        boolean clearRoutesOnShutdown,
        Duration requestPoll,
        CollectionMode collection,
        Ports ports,
        String version) {
    private static final int LABEL_VALUE = 63;

    /** TCP ports; 0 means any free one, -1 none. */
    public record Ports(String address, int metrics, int health) {}

    private static final Setting<String> NODE_NAME =
            text(
                    "coil.node-name",
                    null,
                    "the node that the agent serves (also COIL_NODE_NAME); an InternalIP of that"
                            + " Node must be an address of this machine");
    private static final Setting<Duration> ADD_WAIT =
            duration(
                    "coil.agent.add-wait",
                    "10s",
                    "1ms",
                    "10m",
                    "how long an ADD waits for a block; the request stays after it");
    private static final Setting<Duration> DEMAND_HOLD =
            duration(
                    "coil.agent.demand-hold",
                    "60s",
                    "0s",
                    "1h",
                    "how long a pod whose ADD failed still counts as demand");
    private static final Setting<Duration> LINGER =
            duration(
                    "coil.agent.linger",
                    "30s",
                    "0s",
                    "1d",
                    "how long an empty block of more than one address is kept");
    private static final Setting<Integer> SPARE_BLOCKS =
            number(
                    "coil.agent.spare-blocks",
                    "0",
                    0,
                    1000,
                    "empty blocks kept per pool on purpose");
    private static final Setting<Duration> GRACE =
            duration(
                    "coil.agent.grace",
                    "60s",
                    "1ms",
                    "1d",
                    "time between the two looks before an address is taken for leaked");
    private static final Setting<Duration> COLLECTION_INTERVAL =
            duration(
                    "coil.agent.collection-interval",
                    "5m",
                    "100ms",
                    "1d",
                    "periodic collection, besides the events; 10 % jitter");
    private static final Setting<Duration> REPORT_INTERVAL =
            duration(
                    "coil.agent.report-interval",
                    "60s",
                    "100ms",
                    "1h",
                    "at most one NodeBlockUsage write in that time, and only if something changed;"
                            + " the result of a run is written at once");
    private static final Setting<Duration> REUSE_DELAY =
            duration(
                    "coil.agent.reuse-delay",
                    "0s",
                    "0s",
                    "1d",
                    "a freed address is not given again before; with none else free the node asks"
                            + " for a block, and if there is none the ADD fails and says so");
    private static final Setting<Boolean> CLEAR_ROUTES =
            flag(
                    "coil.agent.clear-routes-on-shutdown",
                    "false",
                    "whether an agent that ends empties the exported routes if its Node object is"
                            + " gone");
    private static final Setting<Duration> REQUEST_POLL =
            duration(
                    "coil.agent.request-poll",
                    "2s",
                    "10ms",
                    "1m",
                    "how often an awaited request is read, besides its watch");
    private static final Setting<CollectionMode> COLLECTION =
            choice(
                    "coil.collection",
                    "on",
                    CollectionMode.class,
                    "whether anything is collected; the strictest of this, the pool's and the"
                            + " node's annotation holds");
    private static final Setting<String> ADDRESS =
            text("coil.agent.address", "0.0.0.0", "the address that the ports are bound to");
    private static final Setting<Integer> METRICS_PORT =
            port("coil.agent.metrics-port", "9384", "/metrics and /actuator");
    private static final Setting<Integer> HEALTH_PORT =
            port("coil.agent.health-port", "9385", "/healthz and /readyz");

    /** Every setting, for the manual. */
    public static final List<Setting<?>> ALL =
            List.of(
                    NODE_NAME,
                    ADD_WAIT,
                    DEMAND_HOLD,
                    LINGER,
                    SPARE_BLOCKS,
                    GRACE,
                    COLLECTION_INTERVAL,
                    REPORT_INTERVAL,
                    REUSE_DELAY,
                    CLEAR_ROUTES,
                    REQUEST_POLL,
                    COLLECTION,
                    ADDRESS,
                    METRICS_PORT,
                    HEALTH_PORT);

    public AgentSettings {
        if (nodeName.length() > LABEL_VALUE) {
            throw new BadSettingException(
                    NODE_NAME.name(),
                    nodeName,
                    "a name of at most %d characters, because Kubernetes' label values end there and blocks carry it as a label"
                            .formatted(LABEL_VALUE));
        }
    }

    /**
     * Reads all.
     *
     * @param values text by name, null where nothing is set
     * @throws BadSettingException for the first value that is not allowed
     */
    public static AgentSettings read(Function<String, @Nullable String> values, String version) {
        return new AgentSettings(
                NODE_NAME.from(values),
                ADD_WAIT.from(values),
                DEMAND_HOLD.from(values),
                LINGER.from(values),
                SPARE_BLOCKS.from(values),
                GRACE.from(values),
                COLLECTION_INTERVAL.from(values),
                REPORT_INTERVAL.from(values),
                REUSE_DELAY.from(values),
                CLEAR_ROUTES.from(values),
                REQUEST_POLL.from(values),
                COLLECTION.from(values),
                new Ports(
                        ADDRESS.from(values), METRICS_PORT.from(values), HEALTH_PORT.from(values)),
                version);
    }

    /** The defaults for a node, but for what {@code values} names. */
    public static AgentSettings of(String nodeName, Map<String, String> values) {
        return read(name -> name.equals(NODE_NAME.name()) ? nodeName : values.get(name), "dev");
    }
}
