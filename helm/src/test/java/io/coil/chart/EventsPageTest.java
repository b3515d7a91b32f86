package io.coil.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.core.grant.FailReason;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Every event that the programs write is explained in the manual. */
class EventsPageTest {
    private static final Pattern SAID =
            Pattern.compile("events\\s*\\.(?:normal|warning)\\([^;]*?\"([A-Z][A-Za-z]+)\",");

    private static final Pattern CHOSEN = Pattern.compile("case [A-Z_]+ -> \"([A-Z][A-Za-z]+)\";");

    @Test
    void thePageHasEveryReason() throws IOException {
        String page = Files.readString(Path.of("../docs/events.md"));
        Set<String> reasons = new TreeSet<>();
        for (String program : List.of("controller", "agent")) {
            reasons.addAll(saidIn(Path.of("../coil-" + program + "/src/main/java")));
        }
        for (FailReason reason : FailReason.values()) {
            if (reason != FailReason.INDEX_TAKEN) { // no event: asked anew at once
                reasons.add(reason.text());
            }
        }

        assertThat(reasons)
                .hasSizeGreaterThan(20)
                .allSatisfy(reason -> assertThat(page).contains("| `" + reason + "` |"));
    }

    private static Set<String> saidIn(Path sources) throws IOException {
        Set<String> reasons = new TreeSet<>();
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                String source = Files.readString(file);
                SAID.matcher(source).results().forEach(m -> reasons.add(m.group(1)));
                if (source.contains("private static String reason(RunItem item)")) {
                    CHOSEN.matcher(source).results().forEach(m -> reasons.add(m.group(1)));
                }
            }
        }
        return reasons;
    }
}
