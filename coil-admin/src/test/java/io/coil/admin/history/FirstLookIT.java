package io.coil.admin.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.admin.snapshot.Sight;
import io.coil.core.net.Address;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A large cluster that is seen for the first time: 150,000 addresses, 20,000 blocks. */
class FirstLookIT {
    private static final int NODES = 5000;
    private static final int BLOCKS = 20_000;
    private static final int PODS = 150_000;
    private static final Address FIRST = Address.parse("10.0.0.0");
    private static final Duration MOST = Duration.ofSeconds(90);

    @TempDir private Path directory;

    private static Sight cluster() {
        Sight sight = new Sight().pool("default", 3, "10.0.0.0/13");
        for (int n = 0; n < NODES; n++) {
            sight.node("node-" + n);
        }
        for (int b = 0; b < BLOCKS; b++) {
            sight.block("default", b, "node-" + b % NODES, FIRST.plus(b * 8L) + "/29");
        }
        for (int p = 0; p < PODS; p++) {
            sight.pod("pod-" + p, "node-" + p / 8 % NODES, FIRST.plus(p).toString());
        }
        return sight;
    }

    @Test
    void embedded() throws InterruptedException {
        firstLook("jdbc:h2:file:" + directory.resolve("history"));
    }

    @Test
    void postgres() throws IOException, InterruptedException {
        try (Postgres server = Postgres.start()) {
            firstLook(server.empty());
        }
    }

    private static void firstLook(String url) throws InterruptedException {
        Sight sight = cluster();
        try (Kept kept = new Kept(url, Duration.ofDays(90))) {
            kept.written();
            long before = heap();
            long start = System.nanoTime();
            kept.see(Entries.AT, sight);
            kept.written();
            Duration first = Duration.ofNanos(System.nanoTime() - start);
            long after = heap();

            start = System.nanoTime();
            kept.pending.compareAll();
            kept.see(Entries.AT.plusSeconds(5), sight);
            kept.written();
            Duration again = Duration.ofNanos(System.nanoTime() - start);

            System.out.printf(
                    "%s: first look %d ms, compared again %d ms, heap %d -> %d MiB%n",
                    url.substring(5, 8),
                    first.toMillis(),
                    again.toMillis(),
                    before >> 20,
                    after >> 20);
            assertThat(kept.rows("holding")).isEqualTo(PODS);
            assertThat(kept.rows("block_term")).isEqualTo(BLOCKS);
            assertThat(kept.history.holders(List.of(FIRST.plus(77))).getFirst().block())
                    .isEqualTo("default-9");
            assertThat(first).isLessThan(MOST);
        }
    }

    /** What is really held, after a collection. */
    private static long heap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
