package io.coil.cli;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** {@code ./coil get} and {@code ./coil collect}. */
public final class Cli {
    private static final String COMMON =
            """

              --server URL   the admin application (COIL_SERVER); without: a sandbox's, by its files
              --token T      a token that Kubernetes accepts (COIL_TOKEN); without: a sandbox's
              --ca-file F    trust the certificates in this file (COIL_CA_FILE)

            Exit codes: 0 done, 1 something was not done, 2 wrong use, 3 nobody answers, 4 not allowed.
            """;

    private final Map<String, String> environment;
    private final Path sandbox;
    private final Terminal terminal;

    Cli(Map<String, String> environment, Path sandbox, Terminal terminal) {
        this.environment = environment;
        this.sandbox = sandbox;
        this.terminal = terminal;
    }

    /** The property {@code coil.sandbox} says where a sandbox's files are. */
    public static void main(String[] arguments) throws InterruptedException {
        PrintStream out =
                new PrintStream(
                        new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        Terminal terminal =
                new Terminal(
                        out,
                        System.err,
                        Optional.ofNullable(System.console())
                                .map(Console::isTerminal)
                                .orElse(false));
        Path sandbox = Path.of(System.getProperty("coil.sandbox", ".sandbox"));
        int code = new Cli(System.getenv(), sandbox, terminal).run(List.of(arguments));
        out.flush();
        System.exit(code);
    }

    /** Runs one command, and returns the code to exit with. */
    public static int run(
            List<String> arguments,
            Map<String, String> environment,
            PrintStream out,
            PrintStream err)
            throws InterruptedException {
        return new Cli(environment, Path.of("nowhere"), new Terminal(out, err, false))
                .run(arguments);
    }

    int run(List<String> arguments) throws InterruptedException {
        String command = arguments.isEmpty() ? "" : arguments.getFirst();
        try {
            List<String> rest = arguments.subList(Math.min(1, arguments.size()), arguments.size());
            boolean help = rest.contains("--help") || rest.contains("-h");
            return switch (command) {
                case "get" -> help ? help(Get.HELP) : get(rest);
                case "collect" -> help ? help(Collect.HELP) : collect(rest);
                default -> throw Failure.wrongUse("there are get and collect");
            };
        } catch (Failure e) {
            terminal.endOfProgress();
            terminal.err().println("coil: " + e.getMessage());
            if (e.exit() == Exit.WRONG_USE) {
                terminal.err()
                        .println("coil: ./coil %s --help says how it is used".formatted(command));
            }
            return e.exit().code();
        }
    }

    private int help(String text) {
        terminal.out().print(text + COMMON);
        terminal.out().flush();
        return Exit.DONE.code();
    }

    private int get(List<String> words) throws Failure, InterruptedException {
        Arguments arguments = Arguments.read(words, with(Get.values()), Set.of());
        Get.check(arguments, terminal);
        try (Rest rest = new Rest(Place.of(arguments, environment, sandbox))) {
            return Get.run(arguments, rest, terminal).code();
        }
    }

    private int collect(List<String> words) throws Failure, InterruptedException {
        Arguments arguments = Arguments.read(words, with(Collect.values()), Collect.flags());
        Collect.check(arguments);
        try (Rest rest = new Rest(Place.of(arguments, environment, sandbox))) {
            return Collect.run(arguments, rest, terminal).code();
        }
    }

    private static Set<String> with(Set<String> values) {
        Set<String> all = new HashSet<>(values);
        all.addAll(Place.OPTIONS);
        return all;
    }
}
