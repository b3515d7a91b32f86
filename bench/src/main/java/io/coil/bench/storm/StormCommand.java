package io.coil.bench.storm;

import io.coil.bench.api.Ground;
import io.coil.bench.api.ServerCommand;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.time.Duration;

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
public final class StormCommand extends ServerCommand {
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

    /** What the arguments say. */
    StormPlan plan() {
        require(nodes >= 1 && nodes <= Ground.BLOCKS / 2, "--nodes: 1 to " + Ground.BLOCKS / 2);
        requireWithin("--pools", pools, 1, 64);
        requireWithin("--rounds", rounds, 1, 100);
        requireWithin("--connections", connections, 1, 1000);
        requireWithin("--seconds", seconds, 1, 3600);
        return new StormPlan(nodes, pools, rounds, connections, Duration.ofSeconds(seconds));
    }

    @Override
    protected Measuring asked() {
        StormPlan plan = plan();
        return (target, out) -> new Storm(plan, target, out).run();
    }
}
