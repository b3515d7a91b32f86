package io.coil.bench.core;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.util.concurrent.Callable;

/** Runs the micro benchmarks, each in JVMs of its own, and shows what they allocate and cost. */
@Command(
        name = "jmh",
        description = "Micro benchmarks of core: assignment, plan of a collection, grant choice.",
        mixinStandardHelpOptions = true)
public final class JmhCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            arity = "0..1",
            defaultValue = ".*",
            description = "only those whose name matches this pattern")
    private String pattern = ".*";

    @Option(names = "--quick", description = "one fork, one short iteration: does it run at all?")
    private boolean quick;

    @Override
    public Integer call() throws RunnerException {
        ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .include(pattern)
                        .addProfiler(GCProfiler.class)
                        .addProfiler(CpuTimeProfiler.class)
                        .shouldFailOnError(true);
        if (quick) {
            options.forks(1).warmupIterations(1).measurementIterations(1);
        }
        return new Runner(options.build()).run().isEmpty() ? 1 : 0;
    }
}
