package io.coil.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One of the programs as a process. It ends with this JVM, however that ends: its standard input is
 * a pipe that the kernel closes then, and the program looks at that.
 */
final class Child implements AutoCloseable {
    private static final String WITH_PARENT = "COIL_TESTING_WITH_PARENT";
    private static final int LINES_SHOWN = 15;

    private final String name;
    private final Path log;

    /** Held, because its pipe is closed when nobody holds it. */
    private final Process process;

    private Child(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    /** What it says goes into a file of its name in {@code directory}. */
    static Child start(Path program, Path directory, String name, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(program.toString(), name));
        command.addAll(arguments);
        Path log = directory.resolve(name + ".log");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile());
        builder.environment().put(WITH_PARENT, "true");
        try {
            return new Child(name, log, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean alive() {
        return process.isAlive();
    }

    /** What it said last. */
    String lastWords() {
        try {
            List<String> lines = Files.readAllLines(log);
            List<String> last =
                    lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size());
            return name + (alive() ? "" : " ended") + ":\n" + String.join("\n", last);
        } catch (IOException e) {
            return name + ": cannot read " + log;
        }
    }

    /** Nothing that it has is worth keeping. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
