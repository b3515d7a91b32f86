package io.coil.simulation.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The model of the block protocol, its runs, and the tables of the protocol's page. */
final class Documents {
    static final Path MODEL = Path.of("../docs/model");

    private static final Pattern SWITCH =
            Pattern.compile("(?m)^#define (F_\\w+|DOUBLE|SHORT|STRAYEAGER|ALL)\\s");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private Documents() {}

    /** A line of runs.txt. */
    record Run(String name, String expected, String mode, String effort, List<String> defines) {
        boolean inEachBuild() {
            return !effort.equals("long");
        }

        /** Names of the switches that it sets; bounds, faults and left out properties are none. */
        Set<String> switches(Set<String> all) {
            Set<String> set = new LinkedHashSet<>();
            for (String define : defines) {
                String name = define.substring(2).replaceAll("=.*", "");
                if (all.contains(name)) {
                    set.add(name);
                }
            }
            return set;
        }
    }

    /** A line of a table of the protocol's page. */
    record Line(String loosely, Set<String> switches, Set<String> runs, Set<String> code) {}

    static List<Run> runs() {
        List<Run> runs = new ArrayList<>();
        for (String line : text(MODEL.resolve("runs.txt")).lines().toList()) {
            if (!line.isBlank() && !line.startsWith("#")) {
                List<String> words = List.of(line.trim().split("\\s+"));
                runs.add(
                        new Run(
                                words.get(0),
                                words.get(1),
                                words.get(2),
                                words.get(3),
                                words.subList(4, words.size())));
            }
        }
        return runs;
    }

    /** Every point that the model can read loosely. */
    static Set<String> switches() {
        Set<String> names = new LinkedHashSet<>();
        Matcher matcher = SWITCH.matcher(text(MODEL.resolve("blocks.pml")));
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    /** The lines of both tables. */
    static List<Line> tables() {
        List<Line> lines = new ArrayList<>();
        for (String line : text(Path.of("../docs/protocol.md")).lines().toList()) {
            String[] cells = line.split("\\|", -1);
            if (cells.length == 7 && line.matches(".*`[hn]\\d+b?-.*")) {
                lines.add(
                        new Line(cells[1].trim(), code(cells[3]), code(cells[4]), code(cells[5])));
            }
        }
        return lines;
    }

    private static Set<String> code(String cell) {
        Set<String> found = new LinkedHashSet<>();
        Matcher matcher = CODE.matcher(cell);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
