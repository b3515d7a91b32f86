package io.coil.agent.cni;

import io.coil.agent.hold.SharedHoldings;
import io.coil.agent.hold.Turns;
import io.coil.agent.kernel.Kernel;
import io.coil.agent.kernel.KernelFailure;
import io.coil.agent.kernel.PodLink;
import io.coil.agent.pool.PoolDirectory;
import io.coil.core.holdings.Assignment;
import io.coil.core.holdings.ContainerKey;
import io.coil.core.holdings.PodRef;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.events.Events;
import io.coil.kubernetes.events.Subject;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Answers the calls of the container runtime: ADD, DEL, CHECK, STATUS and VERSION of the CNI
 * specification. Calls about one container come one after the other; all others go on meanwhile.
 */
public final class CniServer {
    private static final Logger LOG = LoggerFactory.getLogger(CniServer.class);
    private static final Duration TURN = Duration.ofSeconds(30);

    private final Addresses addresses;
    private final PoolDirectory pools;
    private final SharedHoldings holdings;
    private final Kernel kernel;
    private final Turns<ContainerKey> turns;
    private final Supplier<@Nullable String> notServing;
    private final Events events;

    /**
     * A server that answers from the first moment, with "try again later" until it serves.
     *
     * @param notServing a sentence that says why the agent does not serve yet; null if it does
     */
    public CniServer(
            Addresses addresses,
            PoolDirectory pools,
            SharedHoldings holdings,
            Kernel kernel,
            Turns<ContainerKey> turns,
            Supplier<@Nullable String> notServing,
            Events events) {
        this.addresses = addresses;
        this.pools = pools;
        this.holdings = holdings;
        this.kernel = kernel;
        this.turns = turns;
        this.notServing = notServing;
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
            if (why != null) {
                throw new CniFailure(CniFailure.NOT_AVAILABLE, why);
            }
            return CniAnswer.done();
        }
        if (why != null) {
            throw CniFailure.tryAgain(why);
        }
        return switch (command) {
            case "ADD" -> inTurn(Container.of(request), c -> addAndTell(c, configuration));
            case "DEL" -> inTurn(Container.of(request), this::del);
            case "CHECK" -> inTurn(Container.of(request), this::check);
            default ->
                    throw new CniFailure(
                            CniFailure.INVALID_ENVIRONMENT,
                            "CNI_COMMAND is \"%s\": ADD, DEL, CHECK, STATUS and VERSION are known"
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
    private CniReply addAndTell(Container container, NetworkConfiguration configuration)
            throws InterruptedException {
        try {
            return add(container, configuration);
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

    private CniReply add(Container container, NetworkConfiguration configuration)
            throws InterruptedException {
        PodRef pod = container.requiredPod();
        if (container.netns().isEmpty()) {
            throw new CniFailure(CniFailure.INVALID_ENVIRONMENT, "CNI_NETNS is not set");
        }
        Assignment given = addresses.obtain(container.key(), pod, poolOf(pod));
        boolean attached = false;
        PodLink link = link(given);
        try {
            kernel.attach(link, container.netns());
            holdings.change(h -> h.attached(container.key()));
            attached = true;
        } catch (KernelFailure e) {
            throw new CniFailure(CniFailure.IO_FAILURE, e.getMessage());
        } finally {
            if (!attached) {
                undo(container.key(), pod, given.pool());
            }
        }
        return CniAnswer.added(configuration.version(), link, container.netns());
    }

    /** A failed ADD leaves nothing, whatever its caller does next. */
    private void undo(ContainerKey key, PodRef pod, String pool) {
        try {
            kernel.detach(key);
        } catch (KernelFailure e) {
            LOG.atWarn()
                    .addKeyValue("container", key)
                    .addKeyValue("reason", e.getMessage())
                    .log(
                            "link of a failed ADD not taken away; its address is freed once it is gone");
            holdings.change(h -> h.attached(key)); // its absence is evidence from now on
            return;
        }
        addresses.takeBack(key, pod, pool);
    }

    private String poolOf(PodRef pod) {
        try {
            return pools.poolOf(pod.namespace())
                    .orElseThrow(
                            () ->
                                    CniFailure.tryAgain(
                                            "there is no namespace \"%s\""
                                                    .formatted(pod.namespace())));
        } catch (ApiFailure e) {
            throw CniFailure.tryAgain(
                    "namespace \"%s\" cannot be read: %s"
                            .formatted(pod.namespace(), e.getMessage()));
        }
    }

    /**
     * Frees the address and takes the link away; succeeds for what is not there, and without the
     * API.
     */
    private CniReply del(Container container) {
        try {
            kernel.detach(container.key());
        } catch (KernelFailure e) {
            throw CniFailure.tryAgain("the link is still there: " + e.getMessage());
        }
        addresses.release(container.key());
        return CniAnswer.done();
    }

    private CniReply check(Container container) {
        Assignment held = holdings.with(h -> h.assignment(container.key()));
        if (held == null) {
            throw new CniFailure(
                    CniFailure.UNKNOWN_CONTAINER,
                    "container %s holds no address here".formatted(container.key()));
        }
        try {
            kernel.check(link(held), container.netns());
        } catch (KernelFailure e) {
            throw new CniFailure(CniFailure.IO_FAILURE, e.getMessage());
        }
        return CniAnswer.done();
    }

    private static PodLink link(Assignment given) {
        return new PodLink(
                given.key(), given.pool(), HostInterface.of(given.key()), given.addresses());
    }
}
