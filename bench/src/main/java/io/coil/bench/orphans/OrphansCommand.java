package io.coil.bench.orphans;

import io.coil.bench.api.Ground;
import io.coil.bench.api.ServerCommand;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.time.Duration;

/** {@code bench orphans}. */
@Command(
        name = "orphans",
        description = {
            "Blocks of nodes that do not exist; a controller in this process deletes them.",
            "It refuses a cluster in which another controller leads."
        },
        mixinStandardHelpOptions = true)
public final class OrphansCommand extends ServerCommand {
    @Option(
            names = "--blocks",
            defaultValue = "1000",
            description = "how many blocks (default: ${DEFAULT-VALUE})")
    private int blocks = 1000;

    @Option(
            names = "--per-node",
            defaultValue = "4",
            description = "how many of them are of one node (default: ${DEFAULT-VALUE})")
    private int perNode = 4;

    @Option(
            names = "--rounds",
            defaultValue = "1",
            description =
                    "how often, after one to warm up; the median counts (default: ${DEFAULT-VALUE})")
    private int rounds = 1;

    @Option(
            names = "--seconds",
            defaultValue = "300",
            description = "give up when it takes longer (default: ${DEFAULT-VALUE})")
    private int seconds = 300;

    OrphansPlan plan() {
        require(blocks >= 1 && blocks <= Ground.BLOCKS, "--blocks: 1 to " + Ground.BLOCKS);
        require(perNode >= 1 && perNode <= blocks, "--per-node: 1 to the number of blocks");
        requireWithin("--rounds", rounds, 1, 100);
        requireWithin("--seconds", seconds, 1, 3600);
        return new OrphansPlan(blocks, perNode, rounds, Duration.ofSeconds(seconds));
    }

    @Override
    protected Measuring asked() {
        OrphansPlan plan = plan();
        return (target, out) -> new OrphanRun(plan, target, out).run();
    }
}
