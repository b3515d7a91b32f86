package io.coil.simulation.command;

import io.coil.simulation.Options;
import io.coil.simulation.mutant.MutantTrials;
import io.coil.simulation.shrink.Places;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;

/** {@code coil simulate}. */
@Command(
        name = "coil simulate",
        description = {
            "Runs a whole Coil (agents, controllers, kubelets, people, API server) in virtual time,",
            "one step at a time, with faults between any two steps, and checks the invariants after",
            "every step and in the quiet at the end. The same seed gives the same run."
        },
        mixinStandardHelpOptions = true)
public final class SimulateCommand implements Callable<Integer> {
    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = "--seeds",
            defaultValue = "500",
            description = "how many runs (default: ${DEFAULT-VALUE})")
    private long seeds = 500;

    @Option(
            names = "--from",
            defaultValue = "1",
            description = "the first seed (default: ${DEFAULT-VALUE})")
    private long from = 1;

    @Option(
            names = "--jobs",
            defaultValue = "2",
            description = "processes that share the work (default: ${DEFAULT-VALUE})")
    private int jobs = 2;

    @Option(names = "--seed", description = "replays this one and prints its trace")
    private @Nullable Long seed;

    @Option(
            names = "--keep",
            description = "with --seed: only these decisions of the run, as in 0,3,7-9")
    private @Nullable String keep;

    @Option(
            names = "--shrink",
            description = "with --seed: cuts a failing run down to what it takes, and replays that")
    private boolean shrink;

    @Option(
            names = "--mutants",
            description = {
                "tries each mutant, the program with one rule read loosely, instead of the program as",
                "it is, with that many seeds, and writes the table simulation-mutants.md (into docs,",
                "if that is here)"
            })
    private boolean mutants;

    @Option(names = "--nodes", defaultValue = "3", description = "default: ${DEFAULT-VALUE}")
    private int nodes = 3;

    @Option(names = "--pods", defaultValue = "12", description = "default: ${DEFAULT-VALUE}")
    private int pods = 12;

    @Option(
            names = "--steps",
            defaultValue = "40",
            description = "deeds of the world in a run (default: ${DEFAULT-VALUE})")
    private int steps = 40;

    @Option(
            names = "--faults",
            defaultValue = "40",
            description = "calls in a thousand that go wrong (default: ${DEFAULT-VALUE})")
    private int faults = 40;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = commandSpec().commandLine().getOut();
        Options options = options();
        Long one = seed;
        String only = keep;
        if (one != null) {
            Replay replay = new Replay(one, options, out);
            boolean held =
                    shrink ? replay.shrink() : replay.tell(only == null ? null : places(only));
            return held ? 0 : 1;
        }
        if (only != null || shrink) {
            throw wrong("--keep and --shrink go with --seed");
        }
        return mutants ? mutants(options, out) : many(options, out);
    }

    private int mutants(Options options, PrintWriter out) throws IOException, InterruptedException {
        checkSizes();
        Path docs = Path.of("docs");
        Path page = (Files.isDirectory(docs) ? docs : Path.of("")).resolve("simulation-mutants.md");
        int surprises =
                new MutantTrials(out).run(from, seeds, jobs, options.text(), Workers.FLAGS, page);
        return surprises == 0 ? 0 : 1;
    }

    private void checkSizes() {
        if (seeds < 1 || seeds > 100_000_000) {
            throw wrong("--seeds: 1 to 100000000");
        }
        if (jobs < 1 || jobs > 64) {
            throw wrong("--jobs: 1 to 64");
        }
    }

    private Options options() {
        try {
            return new Options(nodes, pods, steps, faults);
        } catch (Options.BadOption e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private CommandSpec commandSpec() {
        CommandSpec known = spec;
        if (known == null) {
            throw new IllegalStateException("not called by picocli");
        }
        return known;
    }

    private ParameterException wrong(String what) {
        return new ParameterException(commandSpec().commandLine(), what);
    }

    private int many(Options options, PrintWriter out) throws IOException, InterruptedException {
        checkSizes();
        long begun = System.nanoTime();
        out.printf("Seeds %d to %d, %s%n", from, from + seeds - 1, options);
        out.flush();
        Workers workers = new Workers(out);
        Tally tally = workers.run(from, seeds, jobs, options);
        double seconds = (System.nanoTime() - begun) / 1e9;
        out.printf(
                "%n%s, in %.0f s (%.1f runs a second)%n", tally.size(), seconds, seeds / seconds);
        out.printf("What happened:%s%n%n", tally.happened());
        if (tally.found() == 0) {
            out.println("Every invariant held in every run.");
            return 0;
        }
        out.printf("%d of %d runs broke an invariant. Replay one:%n", tally.found(), seeds);
        workers.found().stream()
                .limit(10)
                .forEach(
                        line ->
                                out.printf(
                                        "  ./coil simulate --seed %s%s%n",
                                        line.substring(0, line.indexOf(' ')), suffix(options)));
        out.println("Add --shrink to cut it down to what it takes.");
        return 1;
    }

    private static String suffix(Options options) {
        return options.equals(Options.STANDARD) ? "" : " " + options;
    }

    private Set<Integer> places(String text) {
        try {
            return Places.parse(text);
        } catch (IllegalArgumentException e) {
            throw wrong("--keep: write it as 0,3,7-9");
        }
    }
}
