package io.coil.simulation;

import io.coil.simulation.command.SimulateCommand;

import picocli.CommandLine;

/** What {@code ./coil simulate} starts. */
public final class Simulate {
    private Simulate() {}

    /** Exit code 0: nothing found; 1: something was; 2: the arguments are wrong. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new SimulateCommand()).execute(args));
    }
}
