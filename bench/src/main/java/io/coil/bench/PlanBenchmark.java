package io.coil.bench;

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
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A plan over 20,000 blocks of 16 addresses, 250,000 of which are in use, on 5,000 nodes: one block
 * in fifty is empty and one node in a hundred is gone.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class PlanBenchmark {
    private static final int NODES = 5_000;
    private static final int BLOCKS = 20_000;
    private static final PoolSpec POOL =
            new PoolSpec("default", 4, List.of(new Subnet(Cidr.parse("10.0.0.0/12"), null)));

    private List<UsageScan.NodeUse> nodes = List.of();
    private List<UsageScan.BlockUse> blocks = List.of();

    @Setup
    public void fill() {
        Random random = new Random(1);
        nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            if (i % 100 != 0) {
                nodes.add(new UsageScan.NodeUse("node-" + i, true, false));
            }
        }
        blocks = new ArrayList<>();
        for (int i = 0; i < BLOCKS; i++) {
            boolean empty = i % 50 == 7;
            blocks.add(
                    new UsageScan.BlockUse(
                            PoolSpec.blockName(POOL.name(), i),
                            "uid-" + i,
                            POOL.name(),
                            i,
                            "node-" + random.nextInt(NODES),
                            POOL.blockAt(i),
                            empty ? 0 : 10 + random.nextInt(6),
                            empty ? Duration.ofMinutes(5) : null,
                            false,
                            false));
        }
    }

    @Benchmark
    public UsageScan.Result plan() {
        return UsageScan.scan(
                List.of(new UsageScan.PoolUse(POOL.name(), POOL, 0, false)),
                nodes,
                blocks,
                Duration.ofSeconds(30));
    }
}
