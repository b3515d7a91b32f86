package io.coil.bench;

import io.coil.core.block.BlockAllocator;
import io.coil.core.holdings.Assign;
import io.coil.core.holdings.BlockFacts;
import io.coil.core.holdings.BlockIdentity;
import io.coil.core.holdings.ContainerKey;
import io.coil.core.holdings.NodeHoldings;
import io.coil.core.holdings.PodRef;
import io.coil.core.holdings.PoolTerms;
import io.coil.core.pool.BlockRange;
import io.coil.core.pool.CollectionMode;

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
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * One address taken and freed again, of a node that holds four half-full blocks of 32: by the
 * allocator of one block, and by the node's whole aggregate.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class AssignmentBenchmark {
    private static final int BLOCKS = 4;
    private static final int SIZE = 32;
    private static final PoolTerms TERMS =
            new PoolTerms("pool-uid", false, null, 0, Duration.ZERO, CollectionMode.ON);

    private final ContainerKey key = new ContainerKey("container", "eth0");
    private final PodRef pod = new PodRef("default", "pod");
    private BlockAllocator allocator = new BlockAllocator(SIZE);
    private NodeHoldings holdings = new NodeHoldings(0, 0);

    @Setup
    public void fill() {
        allocator = new BlockAllocator(SIZE);
        holdings = new NodeHoldings(Long.MAX_VALUE / 2, Long.MAX_VALUE / 2);
        for (int block = 0; block < BLOCKS; block++) {
            holdings.adopt(
                    new BlockIdentity(
                            "default-" + block,
                            "uid-" + block,
                            "default",
                            "pool-uid",
                            BlockRange.parse("10.0.0.%d/27".formatted(block * SIZE), null),
                            false),
                    BlockFacts.GOOD,
                    0);
        }
        for (int i = 0; i < SIZE / 2; i++) {
            allocator.take();
        }
        for (int i = 0; i < BLOCKS * SIZE / 2; i++) {
            holdings.assign(
                    new ContainerKey("other-" + i, "eth0"),
                    new PodRef("default", "other-" + i),
                    "default",
                    TERMS,
                    0);
        }
    }

    @Benchmark
    public long allocator() {
        OptionalLong taken = allocator.take();
        allocator.free(taken.getAsLong());
        return taken.getAsLong();
    }

    @Benchmark
    public Assign holdings() {
        Assign assign = holdings.assign(key, pod, "default", TERMS, 1);
        holdings.free(key, p -> TERMS, 1);
        return assign;
    }
}
