package io.coil.bench.core;

import io.coil.core.ledger.Choice;
import io.coil.core.ledger.LedgerBlock;
import io.coil.core.ledger.PoolLedger;
import io.coil.core.ledger.Reservation;
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

import java.util.List;
import java.util.concurrent.TimeUnit;

/** The choice of an index in a /8 cut into blocks of 32, of which 50,000 exist, with gaps. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = "-XX:+UseSerialGC")
public class GrantChoiceBenchmark {
    private static final int BLOCKS = 50_000;
    private static final String REQUEST = "request";

    private final PoolSpec spec =
            new PoolSpec("default", 5, List.of(new Subnet(Cidr.parse("10.0.0.0/8"), null)));
    private final PoolLedger ledger = new PoolLedger();
    private int goes;

    /** Every hundredth index is free. */
    @Setup
    public void fill() {
        for (int i = 0; i < BLOCKS; i++) {
            ledger.put(block(i + i / 99));
        }
    }

    /** Choose, promise, take the promise back: what every grant does under the ledger's guard. */
    @Benchmark
    public int choose() {
        Choice choice = ledger.choose(spec);
        if (!(choice instanceof Choice.Chosen(int index, var range))) {
            throw new IllegalStateException("a pool with room is exhausted: " + choice);
        }
        ledger.reserve(new Reservation(REQUEST, "default", index, range, "node-1"));
        ledger.release(REQUEST);
        return index;
    }

    /** Meanwhile blocks go and come, so that the search begins anew. */
    @Benchmark
    public int chooseWhileBlocksGo() {
        goes = (goes + 7_919) % BLOCKS;
        LedgerBlock going = block(goes + goes / 99);
        ledger.remove(going.name());
        int chosen = choose();
        ledger.put(going);
        return chosen;
    }

    private LedgerBlock block(int index) {
        return new LedgerBlock(
                PoolSpec.blockName("default", index),
                "uid-" + index,
                "default",
                index,
                spec.blockAt(index),
                "node-" + index % 5_000);
    }
}
