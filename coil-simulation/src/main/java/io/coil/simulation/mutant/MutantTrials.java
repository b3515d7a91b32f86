package io.coil.simulation.mutant;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Tries every mutant, in several processes, and makes the page of it. */
public final class MutantTrials {
    private final PrintWriter out;
    private final Map<String, Trial> trials = new TreeMap<>(); // guarded by this

    public MutantTrials(PrintWriter out) {
        this.out = out;
    }

    /**
     * Tries all.
     *
     * @param flags of the Java machine of each process
     * @param page where to write the table
     * @return how many mutants are not as they are expected to be
     */
    public int run(long from, long seeds, int jobs, String options, List<String> flags, Path page)
            throws IOException, InterruptedException {
        long begun = System.nanoTime();
        List<Process> processes = new ArrayList<>();
        List<Thread> readers = new ArrayList<>();
        try {
            for (int job = 0; job < jobs; job++) {
                List<String> command = new ArrayList<>();
                command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
                command.addAll(flags);
                command.addAll(List.of("-cp", System.getProperty("java.class.path")));
                command.add(MutantWorker.class.getName());
                command.addAll(List.of("" + job, "" + jobs, "" + from, "" + seeds, options));
                Process process =
                        new ProcessBuilder(command)
                                .redirectError(ProcessBuilder.Redirect.INHERIT)
                                .start();
                processes.add(process);
                readers.add(Thread.ofPlatform().start(() -> read(process)));
            }
            for (Thread reader : readers) {
                reader.join();
            }
            for (Process process : processes) {
                if (process.waitFor() != 0) {
                    throw new IOException("a worker ended with " + process.exitValue());
                }
            }
        } finally {
            processes.forEach(Process::destroy);
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        return written(
                new MutantTable.Made(from, seeds, jobs, took, LocalDate.now(ZoneOffset.UTC)), page);
    }

    private synchronized int written(MutantTable.Made made, Path page) throws IOException {
        List<Trial> all = List.copyOf(trials.values());
        Files.writeString(page, MutantTable.of(all, made));
        out.printf("%nThe table is in %s%n", page);
        List<String> surprises =
                all.stream().map(MutantTable::surprise).filter(s -> !s.isEmpty()).toList();
        surprises.forEach(s -> out.println("Not as expected: " + s));
        out.flush();
        return surprises.size();
    }

    private void read(Process process) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(MutantWorker.TRIED)) {
                    heard(Trial.parse(line.substring(MutantWorker.TRIED.length())));
                }
            }
        } catch (IOException e) {
            out.println("a worker is not heard any more: " + e.getMessage());
        }
    }

    private synchronized void heard(Trial trial) {
        trials.put(trial.mutant(), trial);
        out.printf(
                "  %-26s caught in %d of %d, aimed %d of %d  %s%n",
                trial.mutant(),
                trial.chance().caught(),
                trial.chance().runs(),
                trial.aimed().caught(),
                trial.aimed().runs(),
                trial.invariants());
        out.flush();
    }
}
