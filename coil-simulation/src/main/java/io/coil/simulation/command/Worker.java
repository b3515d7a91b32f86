package io.coil.simulation.command;

import io.coil.simulation.Options;
import io.coil.simulation.Outcome;
import io.coil.simulation.Simulation;

import java.io.PrintStream;

/**
 * One process that runs seeds, since a JVM that runs one thing at a time has one core. Says a line
 * for each that found something, and now and then how far it is.
 */
public final class Worker {
    static final String FOUND = "found ";
    static final String SO_FAR = "sofar ";

    private Worker() {}

    /** Arguments: the first seed, the step to the next, how many, options. */
    public static void main(String[] args) {
        long from = Long.parseLong(args[0]);
        long step = Long.parseLong(args[1]);
        long count = Long.parseLong(args[2]);
        run(from, step, count, Options.parse(args[3]), System.out);
    }

    static void run(long from, long step, long count, Options options, PrintStream out) {
        Tally tally = new Tally();
        for (long i = 0; i < count; i++) {
            Outcome outcome = Simulation.run(from + i * step, options);
            tally.add(outcome);
            if (outcome.violation() != null) {
                out.println(FOUND + outcome.seed() + " " + outcome.violation());
            }
            if (i % 20 == 19 || i == count - 1) {
                out.println(SO_FAR + tally.text());
                out.flush();
            }
        }
    }
}
