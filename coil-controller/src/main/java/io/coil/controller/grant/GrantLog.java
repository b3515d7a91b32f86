package io.coil.controller.grant;

import io.coil.core.grant.FailReason;
import io.coil.kubernetes.events.Events;
import io.coil.kubernetes.events.Subject;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;

/**
 * What became of requests: a line and a count each, and an event for what failed. The event is
 * about the node, for a request that failed is deleted in the next moment.
 */
public final class GrantLog {
    private static final Logger LOG = LoggerFactory.getLogger(GrantLog.class);

    private static final Duration[] BUCKETS = {
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofMinutes(1),
        Duration.ofMinutes(5)
    };

    private final MeterRegistry meters;
    private final Events events;

    public GrantLog(MeterRegistry meters, Events events) {
        this.meters = meters;
        this.events = events;
    }

    /** {@code waited}: since the request was made, by the clocks of the API server and ours. */
    void granted(BlockRequest request, String block, Duration waited) {
        LOG.atInfo()
                .addKeyValue("block", block)
                .addKeyValue("node", request.spec().nodeName())
                .addKeyValue("request", Meta.name(request.metadata()))
                .log("block granted");
        count("granted");
        Timer.builder("coil.controller.grant.latency")
                .description("from a request to its block")
                .serviceLevelObjectives(BUCKETS)
                .register(meters)
                .record(waited.isNegative() ? Duration.ZERO : waited);
    }

    void requestIsGone(BlockRequest request, String block) {
        LOG.atInfo()
                .addKeyValue("block", block)
                .addKeyValue("node", request.spec().nodeName())
                .addKeyValue("request", Meta.name(request.metadata()))
                .log("request is gone; its block is left to the node's agent");
        count("gone");
    }

    void failed(BlockRequest request, FailReason reason, String message) {
        LOG.atInfo()
                .addKeyValue("reason", reason.text())
                .addKeyValue("node", request.spec().nodeName())
                .addKeyValue("request", Meta.name(request.metadata()))
                .addKeyValue("why", message)
                .log("request failed");
        count(reason.text());
        if (reason != FailReason.INDEX_TAKEN) { // that one is asked anew at once
            events.warning(Subject.node(request.spec().nodeName()), reason.text(), message);
        }
        if (reason == FailReason.EXHAUSTED) {
            events.warning(pool(request), reason.text(), message);
        }
    }

    /** The API server does not let us make the block, and will not soon: a policy, or rights. */
    void refused(BlockRequest request, String block, String why) {
        count("refused");
        events.warning(
                pool(request),
                "BlockRefused",
                "the API server refuses to create the block %s for node %s: %s"
                        .formatted(block, request.spec().nodeName(), why));
    }

    private static Subject pool(BlockRequest request) {
        return new Subject(Names.COIL_API, "AddressPool", null, request.spec().poolName(), null);
    }

    private void count(String result) {
        meters.counter("coil.controller.grants", "result", result).increment();
    }
}
