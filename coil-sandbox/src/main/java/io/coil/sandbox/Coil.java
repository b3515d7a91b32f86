package io.coil.sandbox;

import io.coil.sandbox.log.Logging;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What {@code ./coil sandbox} starts. */
@Command(
        name = "./coil",
        subcommands = SandboxCommand.class,
        description = "Coil for Java",
        synopsisSubcommandLabel = "COMMAND")
public final class Coil {
    private Coil() {}

    public static void main(String[] arguments) {
        Logging.keepSpringOut();
        int code = new CommandLine(new Coil()).execute(arguments);
        if (code != 0) {
            System.exit(code);
        }
    }
}
