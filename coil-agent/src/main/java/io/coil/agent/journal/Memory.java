package io.coil.agent.journal;

import io.coil.agent.hold.SharedHoldings;
import io.coil.core.holdings.Assignment;
import io.coil.core.holdings.ContainerKey;
import io.coil.core.holdings.NodeHoldings;
import io.coil.core.holdings.PodRef;
import io.coil.core.holdings.PoolTerms;
import io.coil.core.net.Address;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Writes down what was given and freed, and tells a starting agent what the last ones wrote: whose
 * the containers are, since when, and what was freed just now.
 */
public final class Memory {
    private static final Logger LOG = LoggerFactory.getLogger(Memory.class);

    /** Entries beyond those that are of use, before the journal is written anew. */
    private static final int SLACK = 2_000;

    /**
     * So many of the last entries are kept in any case: they tell which addresses were used of
     * late.
     */
    private static final int LATELY = 200;

    /**
     * What is known of a container.
     *
     * @param sinceNanos on this agent's monotonic clock, though it was before its start
     */
    public record Known(@Nullable PodRef pod, List<Address> addresses, long sinceNanos) {}

    private final Journal journal;
    private final Timeline time;
    private final SharedHoldings holdings;
    private final Function<String, PoolTerms> terms;
    private final AtomicInteger written = new AtomicInteger();

    public Memory(
            Journal journal,
            Timeline time,
            SharedHoldings holdings,
            Function<String, PoolTerms> terms) {
        this.journal = journal;
        this.time = time;
        this.holdings = holdings;
        this.terms = terms;
    }

    public void given(Assignment assignment) {
        write(Entry.given(time.now(), assignment));
    }

    /**
     * To be called before the address is free: a freed one that nobody remembers is reused early.
     */
    public void freed(Assignment assignment) {
        write(Entry.freed(time.now(), assignment));
    }

    private void write(Entry entry) {
        journal.append(entry);
        if (written.incrementAndGet() == SLACK) {
            rewrite();
        }
    }

    /** What the journal says last of each container: the kernel's list is completed with it. */
    public Map<ContainerKey, Known> containers() {
        Map<ContainerKey, Known> last = new LinkedHashMap<>();
        for (Entry entry : journal.read()) {
            if (entry.given()) {
                last.put(
                        entry.key(),
                        new Known(entry.pod(), entry.addresses(), nanosAt(entry.at())));
            } else {
                last.remove(entry.key());
            }
        }
        return last;
    }

    /**
     * Puts the reuse delay of what was freed before the start into force again, and begins behind
     * what was given last. To be called when the containers of the kernel are in the record.
     */
    public void restoreOrder() {
        List<Entry> entries = journal.read();
        long now = time.nanos();
        int[] cooling = {0};
        holdings.change(
                h -> {
                    for (Entry entry : entries) {
                        if (entry.given()) {
                            h.restoring().givenBefore(entry.pool(), entry.addresses().getFirst());
                            continue;
                        }
                        Duration delay = terms.apply(entry.pool()).reuseDelay();
                        long until = nanosAt(entry.at()) + delay.toNanos();
                        if (until - now > 0 && cools(h, entry, until)) {
                            cooling[0]++;
                        }
                    }
                });
        LOG.atInfo()
                .addKeyValue("entries", entries.size())
                .addKeyValue("notYetReusable", cooling[0])
                .log("journal of the node read");
        rewrite();
    }

    private static boolean cools(NodeHoldings holdings, Entry freed, long until) {
        return holdings.restoring().coolUntil(freed.pool(), freed.addresses().getFirst(), until);
    }

    private void rewrite() {
        written.set(0);
        journal.rewrite(this::useful);
    }

    /** Who is there, what was freed within the reuse delay, and what shows the order of late. */
    private List<Entry> useful(List<Entry> entries) {
        Instant now = time.now();
        Map<ContainerKey, Entry> present = new LinkedHashMap<>();
        for (Entry entry : entries) {
            if (entry.given()) {
                present.put(entry.key(), entry);
            } else {
                present.remove(entry.key());
            }
        }
        int old = entries.size() - LATELY;
        List<Entry> kept = new ArrayList<>();
        for (Entry entry : entries) {
            boolean cools =
                    !entry.given()
                            && entry.at().plus(terms.apply(entry.pool()).reuseDelay()).isAfter(now);
            if (old-- <= 0 || cools || entry.equals(present.get(entry.key()))) {
                kept.add(entry);
            }
        }
        return kept;
    }

    /** Where on the monotonic clock that was. A wall clock that went back: now, to be safe. */
    private long nanosAt(Instant at) {
        Duration age = Duration.between(at, time.now());
        return time.nanos() - (age.isNegative() ? 0 : age.toNanos());
    }
}
