package io.coil.bench.core;

import io.coil.core.block.BlockAllocator;
import io.coil.core.holdings.Assign;
import io.coil.core.holdings.Assignment;
import io.coil.core.holdings.BlockFacts;
import io.coil.core.holdings.BlockIdentity;
import io.coil.core.holdings.ContainerKey;
import io.coil.core.holdings.NodeHoldings;
import io.coil.core.holdings.PodRef;
import io.coil.core.holdings.PoolTerms;
import io.coil.core.net.Cidr;
import io.coil.core.pool.CollectionMode;
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
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An address is given and freed again, inside blocks that the node holds. One operation is a pair.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = "-XX:+UseSerialGC")
public class AssignmentBenchmark {
    private static final int BLOCKS = 8;
    private static final int BLOCK_BITS = 5;

    /** Of 256 addresses these are used all the time, so that the choice of a block is a choice. */
    private static final int STANDING = 100;

    private static final String POOL = "default";
    private static final PoolTerms TERMS =
            new PoolTerms(
                    "uid", PoolTerms.State.SERVING, null, 0, Duration.ZERO, CollectionMode.ON);

    private BlockAllocator block = new BlockAllocator(1L << BLOCK_BITS);
    private NodeHoldings node = new NodeHoldings(0, 0);
    private final ContainerKey container = new ContainerKey("0123456789abcdef", "eth0");
    private final PodRef pod = new PodRef("shop", "cart-0");
    private long now;

    /** A node with eight blocks of 32, and pods. */
    @Setup
    public void fill() {
        block = new BlockAllocator(1L << BLOCK_BITS);
        for (int i = 0; i < STANDING / BLOCKS; i++) {
            block.takeExact(i);
        }
        node = new NodeHoldings(Duration.ofSeconds(30).toNanos(), Duration.ofMinutes(1).toNanos());
        PoolSpec spec =
                new PoolSpec(
                        POOL, BLOCK_BITS, List.of(new Subnet(Cidr.parse("10.1.0.0/16"), null)));
        for (int i = 0; i < BLOCKS; i++) {
            BlockIdentity id =
                    new BlockIdentity(
                            PoolSpec.blockName(POOL, i),
                            "uid-" + i,
                            POOL,
                            "uid",
                            spec.blockAt(i),
                            false);
            node.adopt(id, BlockFacts.GOOD, 0);
        }
        for (int i = 0; i < STANDING; i++) {
            Assign standing =
                    node.assign(
                            new ContainerKey("standing-" + i, "eth0"),
                            new PodRef("shop", "standing-" + i),
                            POOL,
                            TERMS,
                            0);
            if (!(standing instanceof Assign.Assigned)) {
                throw new IllegalStateException("no address for a standing pod: " + standing);
            }
        }
    }

    private static PoolTerms termsOf(String pool) {
        return TERMS;
    }

    /** Inside one block of 32. */
    @Benchmark
    public boolean oneBlock() {
        return block.free(block.take().orElseThrow());
    }

    /** The whole of what the agent decides under its lock for an ADD and its DEL. */
    @Benchmark
    public boolean wholeNode() {
        now++;
        Assign given = node.assign(container, pod, POOL, TERMS, now);
        Assignment freed = node.free(container, AssignmentBenchmark::termsOf, now);
        return given instanceof Assign.Assigned && freed != null;
    }
}
