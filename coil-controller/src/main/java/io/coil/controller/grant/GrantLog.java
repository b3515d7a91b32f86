package io.coil.controller.grant;

import io.coil.core.grant.FailReason;
import io.coil.kubernetes.events.Events;
import io.coil.kubernetes.events.Subject;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.micrometer.core.instrument.MeterRegistry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What became of requests: a line and a count each, and an event for what failed. */
public final class GrantLog {
    private static final Logger LOG = LoggerFactory.getLogger(GrantLog.class);

    private final MeterRegistry meters;
    private final Events events;

    public GrantLog(MeterRegistry meters, Events events) {
        this.meters = meters;
        this.events = events;
    }

    void granted(BlockRequest request, String block) {
        LOG.atInfo()
                .addKeyValue("block", block)
                .addKeyValue("node", request.spec().nodeName())
                .addKeyValue("request", Meta.name(request.metadata()))
                .log("block granted");
        count("granted");
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
            events.warning(Subject.of(request), reason.text(), message);
        }
        if (reason == FailReason.EXHAUSTED) {
            String pool = request.spec().poolName();
            events.warning(
                    new Subject(Names.COIL_API, "AddressPool", null, pool, null),
                    reason.text(),
                    message);
        }
    }

    private void count(String result) {
        meters.counter("coil.controller.grants", "result", result).increment();
    }
}
