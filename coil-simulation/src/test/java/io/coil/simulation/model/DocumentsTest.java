package io.coil.simulation.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.simulation.mutant.Catalogue;
import io.coil.simulation.mutant.Mutant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The model, its runs, the page of the protocol, the mutants and the code name the same things: who
 * changes one of them without the others is told.
 */
class DocumentsTest {
    private static final Set<String> SWITCHES = Documents.switches();

    static List<Documents.Run> loose() {
        return Documents.runs().stream().filter(r -> r.name().matches("[hn]\\d.*")).toList();
    }

    static List<Documents.Line> lines() {
        return Documents.tables();
    }

    @Test
    void theModelHasItsSwitchesAndTheTablesTheirLines() {
        assertThat(SWITCHES).hasSize(28);
        assertThat(lines()).hasSize(31);
        assertThat(loose()).hasSize(35);
    }

    @Test
    void everySwitchHasARunAndALine() {
        Set<String> run = new TreeSet<>();
        loose().forEach(r -> run.addAll(r.switches(SWITCHES)));
        assertThat(run).isEqualTo(new TreeSet<>(SWITCHES));
        Set<String> written = new TreeSet<>();
        lines().forEach(l -> written.addAll(l.switches()));
        assertThat(written).isEqualTo(new TreeSet<>(SWITCHES));
    }

    @Test
    void everyRunThatReadsSomethingLooselyHasALine() {
        List<String> written = new ArrayList<>();
        lines().forEach(l -> written.addAll(l.runs()));
        assertThat(written)
                .containsExactlyInAnyOrderElementsOf(
                        loose().stream().map(Documents.Run::name).toList());
    }

    @ParameterizedTest
    @MethodSource("lines")
    void aLinesRunsSetItsSwitch(Documents.Line line) {
        for (Documents.Run run : loose()) {
            if (line.runs().contains(run.name()) && !line.switches().isEmpty()) {
                assertThat(run.switches(SWITCHES)).isEqualTo(line.switches());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("lines")
    void theCodeOfALineIsThere(Documents.Line line) throws IOException {
        for (String place : line.code()) {
            String[] parts = place.split("#");
            assertThat(parts).as(place).hasSize(2);
            String file = parts[0].replaceAll("\\..*", "") + ".java";
            List<Path> found;
            try (Stream<Path> files = Files.walk(Path.of(".."))) {
                found =
                        files.filter(
                                        f ->
                                                f.getFileName().toString().equals(file)
                                                        && f.toString().contains("src/main/java"))
                                .toList();
            }
            assertThat(found).as(place).hasSize(1);
            assertThat(Documents.text(found.getFirst()))
                    .as(place)
                    .containsPattern(Pattern.compile("\\b" + parts[1] + "\\("));
        }
    }

    @Test
    void everySwitchHasAMutantOfTheNameOfARunThatSetsIt() {
        Set<String> lines = new LinkedHashSet<>();
        for (Mutant mutant : Catalogue.all()) {
            if (mutant.name().startsWith("x")) {
                assertThat(mutant.point()).as(mutant.name()).isNull();
                continue;
            }
            Documents.Run run =
                    loose().stream()
                            .filter(r -> r.name().equals(mutant.name()))
                            .findFirst()
                            .orElseThrow(() -> new AssertionError("no run " + mutant.name()));
            if (mutant.point() != null) {
                assertThat(run.switches(SWITCHES)).as(run.name()).containsExactly(mutant.point());
            }
            lines.add(mutant.name());
        }
        // "b" runs play the same hole on, or turn the same switch another way
        Set<String> wanted =
                loose().stream()
                        .map(Documents.Run::name)
                        .filter(n -> !n.matches("h(02|03|04|08)b-.*"))
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(new TreeSet<>(lines)).isEqualTo(wanted);
    }
}
