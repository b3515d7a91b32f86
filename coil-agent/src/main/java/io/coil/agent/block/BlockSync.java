package io.coil.agent.block;

import io.coil.agent.hold.SharedHoldings;
import io.coil.agent.kernel.KernelFailure;
import io.coil.core.holdings.BlockIdentity;
import io.coil.core.holdings.NodeHoldings;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.time.Timeline;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Keeps what this node holds in step with the blocks that carry its name. The watch is a hint: each
 * difference is looked at live. So a block that nobody here asked for is found, used and given back
 * like any other, and one that somebody deleted drains.
 */
public final class BlockSync {
    private static final Logger LOG = LoggerFactory.getLogger(BlockSync.class);
    private static final Duration SLOW = Duration.ofSeconds(30);
    private static final Duration AGAIN = Duration.ofSeconds(1);
    private static final int AT_ONCE = 8;

    /** What the watch shows of a block. */
    public record Hint(String uid, boolean beingDeleted, boolean drainAsked, boolean reserved) {
        public static Hint of(AddressBlock block) {
            return new Hint(
                    Meta.uid(block.metadata()),
                    Meta.beingDeleted(block.metadata()),
                    "true".equals(Meta.annotation(block.metadata(), Names.DRAIN)),
                    block.reserved());
        }
    }

    private final Adoption adoption;
    private final SharedHoldings holdings;
    private final Timeline time;
    private final Supplier<Map<String, Hint>> watched;
    private final Timeline.Signal signal;

    public BlockSync(
            Adoption adoption,
            SharedHoldings holdings,
            Timeline time,
            Supplier<Map<String, Hint>> watched) {
        this.adoption = adoption;
        this.holdings = holdings;
        this.time = time;
        this.watched = watched;
        this.signal = time.signal();
    }

    /** The watch has shown something, or the view of the pools has changed. */
    public void changed() {
        signal.raise();
    }

    public void run() throws InterruptedException {
        while (true) {
            boolean allWell = lookAt(differences());
            signal.await(allWell ? SLOW : AGAIN);
        }
    }

    /** Names whose hint differs from what is held. */
    Set<String> differences() {
        Map<String, Hint> shown = watched.get();
        return holdings.with(
                h -> {
                    Set<String> names = new TreeSet<>();
                    for (Map.Entry<String, Hint> hint : shown.entrySet()) {
                        if (!known(h, hint.getKey(), hint.getValue())) {
                            names.add(hint.getKey());
                        }
                    }
                    for (BlockIdentity held : h.held().identities()) {
                        if (!shown.containsKey(held.name())) {
                            names.add(held.name());
                        }
                    }
                    return names;
                });
    }

    private static boolean known(NodeHoldings holdings, String name, Hint hint) {
        return holdings.held()
                .knows(name, hint.uid(), hint.beingDeleted(), hint.drainAsked(), hint.reserved());
    }

    private boolean lookAt(Set<String> names) throws InterruptedException {
        List<Timeline.Running> running = new ArrayList<>();
        boolean[] failed = {false};
        for (String name : names) {
            if (running.size() == AT_ONCE) {
                running.removeFirst().awaitEnd(SLOW);
            }
            running.add(
                    time.start(
                            "block " + name,
                            () -> {
                                if (!look(name)) {
                                    failed[0] = true;
                                }
                            }));
        }
        for (Timeline.Running one : running) {
            one.awaitEnd(SLOW);
        }
        return !failed[0];
    }

    private boolean look(String name) throws InterruptedException {
        try {
            adoption.look(name);
            return true;
        } catch (ApiFailure | KernelFailure e) {
            LOG.atWarn()
                    .addKeyValue("block", name)
                    .addKeyValue("reason", e.getMessage())
                    .log("block not looked at, will be tried again");
            return false;
        }
    }
}
