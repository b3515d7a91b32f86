package io.coil.agent.cni;

import io.coil.agent.hold.SharedHoldings;
import io.coil.agent.hold.Turns;
import io.coil.agent.journal.Memory;
import io.coil.agent.kernel.Kernel;
import io.coil.agent.kernel.PodLink;
import io.coil.agent.pool.PoolDirectory;
import io.coil.core.holdings.ContainerKey;
import io.coil.core.holdings.PodRef;
import io.coil.kubernetes.events.Events;
import io.coil.kubernetes.events.Subject;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Answers the calls of the container runtime: ADD, DEL, CHECK, GC, STATUS and VERSION of the CNI
 * specification. Calls about one container come one after the other; all others go on meanwhile.
 */
public final class CniServer {
    private static final Logger LOG = LoggerFactory.getLogger(CniServer.class);
    private static final Duration TURN = Duration.ofSeconds(30);

    private final InterfaceCalls calls;
    private final StaleAttachments stale;
    private final Turns<ContainerKey> turns;
    private final Supplier<@Nullable String> notServing;
    private final Supplier<@Nullable String> cannotGive;
    private final Events events;

    /**
     * A server that answers from the first moment, with "try again later" until it serves.
     *
     * @param notServing a sentence that says why the agent does not serve yet; null if it does
     * @param cannotGive why it could give no pod an address, though it serves; null if it could
     */
    public CniServer(
            Addresses addresses,
            PoolDirectory pools,
            SharedHoldings holdings,
            Kernel kernel,
            Timeline time,
            Memory memory,
            Supplier<@Nullable String> notServing,
            Supplier<@Nullable String> cannotGive,
            Events events) {
        this.calls = new InterfaceCalls(addresses, pools, holdings, kernel, time, memory);
        this.turns = new Turns<>(time);
        this.stale = new StaleAttachments(calls, holdings, kernel, turns);
        this.notServing = notServing;
        this.cannotGive = cannotGive;
        this.events = events;
    }

    /** Answers one call; never throws but when it is interrupted. */
    public CniReply call(CniRequest request) throws InterruptedException {
        String version = NetworkConfiguration.NEWEST;
        try {
            NetworkConfiguration configuration =
                    NetworkConfiguration.parse(request.standardInput());
            version = configuration.version();
            return answer(request, configuration);
        } catch (CniFailure e) {
            LOG.atInfo()
                    .addKeyValue("command", request.variable("CNI_COMMAND"))
                    .addKeyValue("container", request.variable("CNI_CONTAINERID"))
                    .addKeyValue("args", request.variable("CNI_ARGS"))
                    .addKeyValue("code", e.code())
                    .addKeyValue("reason", e.getMessage())
                    .log("call answered with an error");
            return CniAnswer.failed(version, e);
        } catch (RuntimeException e) {
            LOG.atError()
                    .addKeyValue("command", request.variable("CNI_COMMAND"))
                    .setCause(e)
                    .log("call failed");
            return CniAnswer.failed(
                    version, new CniFailure(CniFailure.INTERNAL, "internal error: " + e));
        }
    }

    private CniReply answer(CniRequest request, NetworkConfiguration configuration)
            throws InterruptedException {
        String command = request.variable("CNI_COMMAND");
        if (command.equals("VERSION")) {
            return CniAnswer.versions(configuration.version());
        }
        configuration.requireSupported();
        String why = notServing.get();
        if (command.equals("STATUS")) {
            String unable = why == null ? cannotGive.get() : why;
            if (unable != null) {
                throw new CniFailure(CniFailure.NOT_AVAILABLE, unable);
            }
            return CniAnswer.done();
        }
        if (why != null) {
            throw CniFailure.tryAgain(why);
        }
        return switch (command) {
            case "ADD" ->
                    inTurn(Container.of(request), c -> add(c, configuration, request.patience()));
            case "DEL" ->
                    inTurn(
                            Container.of(request),
                            c -> {
                                calls.del(c.key());
                                return CniAnswer.done();
                            });
            case "CHECK" ->
                    inTurn(
                            Container.of(request),
                            c -> {
                                calls.check(c);
                                return CniAnswer.done();
                            });
            case "GC" -> {
                stale.collect(configuration);
                yield CniAnswer.done();
            }
            default ->
                    throw new CniFailure(
                            CniFailure.INVALID_ENVIRONMENT,
                            "CNI_COMMAND is \"%s\": ADD, DEL, CHECK, GC, STATUS and VERSION are known"
                                    .formatted(command));
        };
    }

    @FunctionalInterface
    private interface Call {
        CniReply about(Container container) throws InterruptedException;
    }

    private CniReply inTurn(Container container, Call call) throws InterruptedException {
        try (Turns.Turn turn = turns.take(container.key(), TURN)) {
            if (turn == null) {
                throw CniFailure.tryAgain("another call about this container is still going on");
            }
            return call.about(container);
        }
    }

    /** Whoever looks at a pod that does not start is to see why. */
    private CniReply add(Container container, NetworkConfiguration configuration, Duration patience)
            throws InterruptedException {
        try {
            PodLink link = calls.add(container, patience);
            return CniAnswer.added(configuration.version(), link, container.netns());
        } catch (CniFailure e) {
            PodRef pod = container.pod();
            if (pod != null) {
                events.warning(
                        Subject.pod(pod.namespace(), pod.name(), container.podUid()),
                        "NoAddress",
                        e.getMessage());
            }
            throw e;
        }
    }
}
