package io.coil.admin.history;

import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Assumptions;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A PostgreSQL server of our own, of the machine's package, in a directory of its own. Where it is
 * not installed its tests are left out, but on the build machine they fail.
 */
final class Postgres implements AutoCloseable {
    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");

    private final Path bin;
    private final Path directory;
    private final int port;
    private final AtomicInteger databases = new AtomicInteger();
    private final Thread atExit = new Thread(this::end);

    private Postgres(Path bin) throws IOException {
        this.bin = bin;
        this.directory = Files.createTempDirectory("coil-postgres");
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = free.getLocalPort();
        }
    }

    static Postgres start() throws IOException {
        Optional<Path> bin = installed();
        if (bin.isEmpty() && "true".equals(System.getenv("CI"))) {
            fail("PostgreSQL is not installed; .ci/run does it");
        }
        Assumptions.assumeTrue(
                bin.isPresent(), "PostgreSQL is not installed (Debian: apt install postgresql)");
        Postgres server = new Postgres(bin.orElseThrow());
        Runtime.getRuntime().addShutdownHook(server.atExit);
        if (!user().isEmpty()) {
            run(List.of("chown", user(), server.directory.toString()));
        }
        server.as(
                "initdb",
                "--no-sync",
                "-A",
                "trust",
                "-U",
                "coil",
                "-E",
                "UTF8",
                "--locale=C",
                "-D",
                server.data());
        server.resume();
        return server;
    }

    private static Optional<Path> installed() throws IOException {
        if (!Files.isDirectory(INSTALLED)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(INSTALLED)) {
            return versions.map(v -> v.resolve("bin"))
                    .filter(b -> Files.isExecutable(b.resolve("initdb")))
                    .max(Comparator.comparing(Path::toString));
        }
    }

    /** It refuses to be run by root; empty: we are somebody else already. */
    private static String user() {
        return System.getProperty("user.name").equals("root") ? "postgres" : "";
    }

    private String data() {
        return directory.resolve("data").toString();
    }

    /** Starts it, again with the same data. */
    void resume() {
        String options = "-h 127.0.0.1 -p %d -k %s -c fsync=off".formatted(port, directory);
        as(
                "pg_ctl",
                "-w",
                "-D",
                data(),
                "-l",
                directory.resolve("log").toString(),
                "-o",
                options,
                "start");
    }

    /** As a failing machine would end it. */
    void kill() throws IOException {
        String text = Files.readString(Path.of(data(), "postmaster.pid"));
        long pid = Long.parseLong(text.lines().findFirst().orElseThrow().strip());
        ProcessHandle server = ProcessHandle.of(pid).orElseThrow();
        List<ProcessHandle> all = new ArrayList<>(server.descendants().toList());
        all.add(server);
        all.forEach(ProcessHandle::destroyForcibly);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
    }

    /** The URL of a new, empty database. */
    String empty() {
        String name = "history" + databases.incrementAndGet();
        as("createdb", "-h", "127.0.0.1", "-p", Integer.toString(port), "-U", "coil", name);
        return "jdbc:postgresql://127.0.0.1:%d/%s?user=coil".formatted(port, name);
    }

    private void as(String program, String... arguments) {
        List<String> command = new ArrayList<>();
        if (!user().isEmpty()) {
            command.addAll(List.of("runuser", "-u", user(), "--"));
        }
        command.add(bin.resolve(program).toString());
        command.addAll(List.of(arguments));
        run(command);
    }

    private static void run(List<String> command) {
        try {
            Path said = Files.createTempFile("coil-postgres", ".log");
            Process process =
                    new ProcessBuilder(command)
                            .directory(Path.of("/").toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(said.toFile())
                            .start();
            boolean ended = process.waitFor(60, TimeUnit.SECONDS);
            String text = Files.readString(said, StandardCharsets.UTF_8);
            Files.delete(said);
            if (!ended || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new AssertionError(command + ": " + text);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private void end() {
        if (Files.exists(Path.of(data(), "postmaster.pid"))) {
            as("pg_ctl", "-w", "-D", data(), "-m", "immediate", "stop");
        }
        run(List.of("rm", "-rf", directory.toString()));
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(atExit);
        end();
    }
}
