package io.coil.simulation.command;

import io.coil.simulation.Options;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Lets several processes run the seeds, and puts together what they say. */
final class Workers {
    /** One carrier, so that a change of task is no change of thread; no more memory than needed. */
    static final List<String> FLAGS =
            List.of(
                    "-XX:+UseSerialGC",
                    "-Xmx512m",
                    "-Xss512k",
                    "-Djdk.virtualThreadScheduler.parallelism=1",
                    "-Djdk.virtualThreadScheduler.maxPoolSize=1");

    private final PrintWriter out;
    private final List<String> said = new ArrayList<>(); // guarded by this
    private final List<Tally> tallies = new ArrayList<>(); // guarded by this
    private final long begun = System.nanoTime();
    private long told = System.nanoTime(); // guarded by this

    Workers(PrintWriter out) {
        this.out = out;
    }

    /** Lines about what was found, in the order of finding. */
    synchronized List<String> found() {
        return List.copyOf(said);
    }

    Tally run(long from, long seeds, int jobs, Options options)
            throws IOException, InterruptedException {
        List<Process> processes = new ArrayList<>();
        List<Thread> readers = new ArrayList<>();
        try {
            for (int job = 0; job < jobs; job++) {
                long count = seeds / jobs + (job < seeds % jobs ? 1 : 0);
                if (count > 0) {
                    int place = place();
                    Process process = start(from + job, jobs, count, options);
                    processes.add(process);
                    readers.add(Thread.ofPlatform().start(() -> read(process, place, seeds)));
                }
            }
            for (Thread reader : readers) {
                reader.join();
            }
            for (Process process : processes) {
                if (process.waitFor() != 0) {
                    throw new IOException("a worker ended with " + process.exitValue());
                }
            }
            return total();
        } finally {
            processes.forEach(Process::destroy);
        }
    }

    private synchronized int place() {
        tallies.add(new Tally());
        return tallies.size() - 1;
    }

    private static Process start(long from, long step, long count, Options options)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(Worker.class.getName());
        command.addAll(
                List.of(
                        Long.toString(from),
                        Long.toString(step),
                        Long.toString(count),
                        options.text()));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private void read(Process process, int place, long seeds) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                heard(line, place, seeds);
            }
        } catch (IOException e) {
            out.println("a worker is not heard any more: " + e.getMessage());
        }
    }

    private synchronized void heard(String line, int place, long seeds) {
        if (line.startsWith(Worker.FOUND)) {
            said.add(line.substring(Worker.FOUND.length()));
            out.println("  seed " + line.substring(Worker.FOUND.length()));
            out.flush();
        } else if (line.startsWith(Worker.SO_FAR)) {
            Tally tally = new Tally();
            tally.add(line.substring(Worker.SO_FAR.length()));
            tallies.set(place, tally);
            tell(seeds);
        }
    }

    private synchronized void tell(long seeds) {
        long now = System.nanoTime();
        if (now - told > TimeUnit.SECONDS.toNanos(5)) {
            told = now;
            Tally total = total();
            double seconds = (now - begun) / 1e9;
            out.printf(
                    "  %,d of %,d seeds, %.1f a second, %d found%n",
                    total.runs(), seeds, total.runs() / seconds, total.found());
            out.flush();
        }
    }

    private synchronized Tally total() {
        Tally total = new Tally();
        tallies.forEach(t -> total.add(t.text()));
        return total;
    }
}
