package io.coil.bench;

import io.coil.bench.core.JmhCommand;
import io.coil.bench.orphans.OrphansCommand;
import io.coil.bench.storm.StormCommand;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What {@code ./coil bench} starts. */
@Command(
        name = "coil bench",
        description = "Measures Coil.",
        mixinStandardHelpOptions = true,
        subcommands = {JmhCommand.class, StormCommand.class, OrphansCommand.class})
public final class Bench {
    private Bench() {}

    static CommandLine commandLine() {
        return new CommandLine(new Bench());
    }

    /** Exit code 0: measured, and nothing is left; 1: not so; 2: the arguments are wrong. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }
}
