package io.coil.bench.storm;

import io.coil.bench.api.Ground;
import io.coil.bench.api.Interruption;
import io.coil.bench.api.Target;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;

/** {@code bench storm}. */
@Command(
        name = "storm",
        description = {
            "N nodes ask for a block at once; a controller in this process grants.",
            "Against an API server in this process, or any by kubeconfig: then it makes pools,",
            "nodes and requests named bench-*, and takes them away in the end. It refuses a",
            "cluster in which another controller leads: scale that to 0 meanwhile."
        },
        mixinStandardHelpOptions = true)
public final class StormCommand implements Callable<Integer> {
    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = "--nodes",
            defaultValue = "1000",
            description = "how many nodes ask (default: ${DEFAULT-VALUE})")
    private int nodes = 1000;

    @Option(
            names = "--pools",
            defaultValue = "1",
            description = "how many pools they ask for (default: ${DEFAULT-VALUE})")
    private int pools = 1;

    @Option(
            names = "--rounds",
            defaultValue = "3",
            description =
                    "how often, after one to warm up; medians count (default: ${DEFAULT-VALUE})")
    private int rounds = 3;

    @Option(
            names = "--connections",
            defaultValue = "16",
            description = "connections that the nodes share (default: ${DEFAULT-VALUE})")
    private int connections = 16;

    @Option(
            names = "--seconds",
            defaultValue = "120",
            description = "give up when a part takes longer (default: ${DEFAULT-VALUE})")
    private int seconds = 120;

    @Option(names = "--kubeconfig", description = "file that says where the API server is")
    private @Nullable Path kubeconfig;

    /** What the arguments say. */
    StormPlan plan() {
        require(nodes >= 1 && nodes <= Ground.BLOCKS / 2, "--nodes: 1 to " + Ground.BLOCKS / 2);
        require(pools >= 1 && pools <= 64, "--pools: 1 to 64");
        require(rounds >= 1 && rounds <= 100, "--rounds: 1 to 100");
        require(connections >= 1 && connections <= 1000, "--connections: 1 to 1000");
        require(seconds >= 1 && seconds <= 3600, "--seconds: 1 to 3600");
        require(
                kubeconfig == null || Files.isReadable(kubeconfig),
                "--kubeconfig: cannot read " + kubeconfig);
        return new StormPlan(nodes, pools, rounds, connections, Duration.ofSeconds(seconds));
    }

    private void require(boolean holds, String what) {
        if (!holds) {
            CommandSpec known = spec;
            throw new CommandLine.ParameterException(
                    known == null ? new CommandLine(this) : known.commandLine(), what);
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        StormPlan plan = plan();
        try (var _ = Interruption.ofThisThread();
                Target target = Target.open(kubeconfig)) {
            return new Storm(plan, target, System.out).run() ? 0 : 1;
        }
    }
}
