package io.coil.bench.core;

import io.coil.core.garbage.UsageScan;
import io.coil.core.net.Cidr;
import io.coil.core.pool.PoolSpec;
import io.coil.core.pool.Subnet;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a collection would do in a cluster of 5,000 nodes with 20,000 blocks and 250,000 addresses
 * in use: one in fifty blocks is an orphan, one in twenty surplus.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = "-XX:+UseSerialGC")
public class PlanBenchmark {
    private static final int NODES = 5_000;
    private static final int BLOCKS = 20_000;
    private static final int ADDRESSES = 250_000;
    private static final Duration LINGER = Duration.ofSeconds(30);

    private final List<UsageScan.PoolUse> pools = new ArrayList<>();
    private final List<UsageScan.NodeUse> nodes = new ArrayList<>();
    private final List<UsageScan.BlockUse> blocks = new ArrayList<>();

    /** The cluster as the controller sees it. */
    @Setup
    public void fill() {
        PoolSpec spec =
                new PoolSpec("default", 5, List.of(new Subnet(Cidr.parse("10.0.0.0/8"), null)));
        pools.add(new UsageScan.PoolUse("default", spec, 0, false));
        for (int i = 0; i < NODES; i++) {
            nodes.add(new UsageScan.NodeUse("node-" + i, true, false));
        }
        int left = ADDRESSES;
        for (int i = 0; i < BLOCKS; i++) {
            boolean empty = i % 20 == 3;
            int used = empty ? 0 : Math.min(32, 1 + left / (BLOCKS - i));
            left -= used;
            blocks.add(
                    new UsageScan.BlockUse(
                            PoolSpec.blockName("default", i),
                            "uid-" + i,
                            "default",
                            i,
                            i % 50 == 7 ? "gone-" + i : "node-" + i % NODES,
                            spec.blockAt(i),
                            used,
                            empty ? Duration.ofMinutes(5) : null,
                            false,
                            false));
        }
    }

    /** One pass over everything, every rule that a scan has. */
    @Benchmark
    public UsageScan.Result plan() {
        return UsageScan.scan(pools, nodes, blocks, LINGER);
    }
}
