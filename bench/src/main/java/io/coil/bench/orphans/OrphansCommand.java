package io.coil.bench.orphans;

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

/** {@code bench orphans}. */
@Command(
        name = "orphans",
        description = {
            "Blocks of nodes that do not exist; a controller in this process deletes them.",
            "It refuses a cluster in which another controller leads."
        },
        mixinStandardHelpOptions = true)
public final class OrphansCommand implements Callable<Integer> {
    @Spec private @Nullable CommandSpec spec;

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

    @Option(names = "--kubeconfig", description = "file that says where the API server is")
    private @Nullable Path kubeconfig;

    OrphansPlan plan() {
        require(blocks >= 1 && blocks <= Ground.BLOCKS, "--blocks: 1 to " + Ground.BLOCKS);
        require(perNode >= 1 && perNode <= blocks, "--per-node: 1 to the number of blocks");
        require(rounds >= 1 && rounds <= 100, "--rounds: 1 to 100");
        require(seconds >= 1 && seconds <= 3600, "--seconds: 1 to 3600");
        require(
                kubeconfig == null || Files.isReadable(kubeconfig),
                "--kubeconfig: cannot read " + kubeconfig);
        return new OrphansPlan(blocks, perNode, rounds, Duration.ofSeconds(seconds));
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
        OrphansPlan plan = plan();
        try (var _ = Interruption.ofThisThread();
                Target target = Target.open(kubeconfig)) {
            return new OrphanRun(plan, target, System.out).run() ? 0 : 1;
        }
    }
}
