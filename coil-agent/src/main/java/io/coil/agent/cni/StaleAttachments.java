package io.coil.agent.cni;

import io.coil.agent.hold.SharedHoldings;
import io.coil.agent.hold.Turns;
import io.coil.agent.kernel.Kernel;
import io.coil.agent.kernel.KernelFailure;
import io.coil.agent.kernel.PodLink;
import io.coil.core.holdings.Assignment;
import io.coil.core.holdings.ContainerKey;
import io.coil.core.holdings.NodeHoldings;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * GC (CNI specification 1.1): the runtime says which attachments are valid, and all others of this
 * plugin go, as if their DEL had come.
 *
 * <p>What is being attached at this moment, or was attached since the call began, is not judged:
 * the list may be older.
 */
final class StaleAttachments {
    private static final Logger LOG = LoggerFactory.getLogger(StaleAttachments.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final InterfaceCalls calls;
    private final SharedHoldings holdings;
    private final Kernel kernel;
    private final Turns<ContainerKey> turns;

    StaleAttachments(
            InterfaceCalls calls,
            SharedHoldings holdings,
            Kernel kernel,
            Turns<ContainerKey> turns) {
        this.calls = calls;
        this.holdings = holdings;
        this.kernel = kernel;
        this.turns = turns;
    }

    /** Nothing is done without a list; an empty one is meant. */
    void collect(NetworkConfiguration configuration) throws InterruptedException {
        Optional<Set<ContainerKey>> valid = configuration.validAttachments();
        if (valid.isEmpty()) {
            return;
        }
        List<String> failures = new ArrayList<>();
        for (Map.Entry<ContainerKey, @Nullable Long> one : stale(valid.get()).entrySet()) {
            ContainerKey key = one.getKey();
            try (Turns.Turn turn = turns.take(key, PATIENCE)) {
                if (turn == null) {
                    failures.add("another call about %s is still going on".formatted(key));
                    continue;
                }
                if (Objects.equals(since(key), one.getValue())) {
                    calls.del(key);
                    LOG.atInfo()
                            .addKeyValue("container", key)
                            .log("attachment was not valid any more");
                }
            } catch (CniFailure e) {
                failures.add("%s: %s".formatted(key, e.getMessage()));
            }
        }
        if (!failures.isEmpty()) {
            throw CniFailure.tryAgain(String.join("; ", failures));
        }
    }

    /** Since when it has its address; null for a link that the record does not know. */
    private @Nullable Long since(ContainerKey key) {
        return holdings.<@Nullable Long>with(
                h -> {
                    Assignment held = h.assignment(key);
                    return held == null ? null : held.sinceNanos();
                });
    }

    private Map<ContainerKey, @Nullable Long> stale(Set<ContainerKey> valid) {
        Map<ContainerKey, @Nullable Long> stale = new LinkedHashMap<>();
        for (Assignment held : holdings.with(NodeHoldings::assignments)) {
            if (held.attached() && !valid.contains(held.key())) {
                stale.put(held.key(), held.sinceNanos());
            }
        }
        try {
            for (PodLink link : kernel.links()) {
                if (!valid.contains(link.key()) && since(link.key()) == null) {
                    stale.put(link.key(), null);
                }
            }
        } catch (KernelFailure e) {
            throw new CniFailure(CniFailure.IO_FAILURE, e.getMessage());
        }
        return stale;
    }
}
