package io.coil.bench.core;

import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.List;

/**
 * CPU time of the measuring thread per operation: what an operation costs, whoever else computes on
 * the machine. JMH itself tells elapsed time only.
 */
public final class CpuTimeProfiler implements InternalProfiler {
    private static final String WORKER = "jmh-worker";

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private long before;

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = workers();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        long operations = Math.max(1, result.getMetadata().getAllOps());
        double each = (double) (workers() - before) / operations;
        return List.of(new ScalarResult("cpu.time.norm", each, "ns/op", AggregationPolicy.AVG));
    }

    private long workers() {
        long sum = 0;
        for (long id : threads.getAllThreadIds()) {
            var thread = threads.getThreadInfo(id);
            if (thread != null && thread.getThreadName().contains(WORKER)) {
                sum += Math.max(0, threads.getThreadCpuTime(id));
            }
        }
        return sum;
    }

    @Override
    public String getDescription() {
        return "CPU time of the measuring thread per operation";
    }
}
