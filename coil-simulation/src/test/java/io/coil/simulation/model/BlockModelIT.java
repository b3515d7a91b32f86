package io.coil.simulation.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The model of the block protocol says what it is said to say: every quick run has the expected
 * verdict, and its shortest trace ends as the one that is kept.
 */
class BlockModelIT {
    private static final Path OUT = Path.of("target/model").toAbsolutePath();

    /** What {@code run-all.sh} printed, by run. */
    private static final Map<String, String> RESULTS = new TreeMap<>();

    @BeforeAll
    static void runsAll() throws IOException, InterruptedException {
        String missing = Stream.of("spin", "gcc").filter(p -> !onPath(p)).toList().toString();
        boolean there = missing.equals("[]");
        if ("true".equals(System.getenv("CI"))) {
            assertThat(there).as("a build machine has %s", missing).isTrue();
        }
        assumeTrue(there, () -> "left out: there is no " + missing);
        Files.createDirectories(OUT);
        ProcessBuilder builder =
                new ProcessBuilder("bash", "run-all.sh", "-j", "2", "quick")
                        .directory(Documents.MODEL.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(OUT.resolve("output.txt").toFile());
        builder.environment().put("OUT", OUT.toString());
        Process process = builder.start();
        assertThat(process.waitFor(9, TimeUnit.MINUTES)).as("done in time").isTrue();
        for (String line : Documents.text(OUT.resolve("output.txt")).lines().toList()) {
            RESULTS.put(line.replaceAll(" .*", ""), line);
        }
    }

    private static boolean onPath(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(d -> Files.isExecutable(Path.of(d, program)));
    }

    @TestFactory
    List<DynamicTest> eachQuickRunIsAsExpected() {
        return Documents.runs().stream()
                .filter(Documents.Run::inEachBuild)
                .map(run -> dynamicTest(run.name(), () -> isAsExpected(run)))
                .toList();
    }

    private static void isAsExpected(Documents.Run run) {
        String[] parts = RESULTS.getOrDefault(run.name(), "").split(" \\| ");
        assertThat(parts).as("the line of %s: %s", run.name(), RESULTS).hasSizeGreaterThan(3);
        assertThat(parts[2].replaceAll(" .*", "")).isEqualTo(run.expected());
        Path kept = Documents.MODEL.resolve("traces/" + run.name() + ".txt");
        Path found = OUT.resolve(run.name() + ".trace");
        switch (run.expected()) {
            case "VIOLATED" -> assertThat(lastLine(found)).isEqualTo(lastLine(kept));
            case "CYCLE" -> assertThat(Documents.text(found)).contains("START OF CYCLE");
            default -> assertThat(found).doesNotExist();
        }
    }

    private static String lastLine(Path file) {
        return Documents.text(file).lines().toList().getLast();
    }
}
