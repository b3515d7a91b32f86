package io.coil.chart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The manual: its links lead somewhere, its examples fit the CRDs, its settings are those of the
 * chart.
 */
class ManualTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern YAML = Pattern.compile("(?ms)^```yaml\\n(.*?)^```");

    static Stream<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (Path folder :
                List.of(
                        ROOT,
                        ROOT.resolve("docs"),
                        ROOT.resolve("docs/adr"),
                        ROOT.resolve("docs/model"))) {
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(f -> f.toString().endsWith(".md")).sorted().forEach(pages::add);
            }
        }
        return pages.stream();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void linksLeadSomewhere(Path page) throws IOException {
        for (String link : all(LINK, Files.readString(page))) {
            if (link.contains("://")) {
                continue;
            }
            String[] parts = link.split("#", 2);
            Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
            assertThat(target).as("%s: %s", page, link).exists();
            if (parts.length == 2) {
                assertThat(anchors(target)).as("%s: %s", page, link).contains(parts[1]);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void examplesFitTheCrds(Path page) throws IOException {
        for (String example : all(YAML, Files.readString(page))) {
            for (Node document : RenderedChart.parse(example)) {
                if (document.has("apiVersion")
                        && document.text("apiVersion").matches("(ops\\.coil\\.io|coil\\.).*")) {
                    fits(document, Crds.schemaOf(document.text("kind")), page.toString());
                }
            }
        }
    }

    /** Every field of the example exists, and everything that is required is there. */
    private static void fits(Node example, Node schema, String where) {
        switch (schema.text("type")) {
            case "object" -> {
                if (!schema.has("properties")) {
                    return;
                }
                example.map()
                        .forEach(
                                (name, value) -> {
                                    String at = where + "." + name;
                                    assertThat(schema.map("properties").containsKey(name))
                                            .as(at)
                                            .isTrue();
                                    fits(
                                            new Node(value),
                                            schema.at("properties", name.toString()),
                                            at);
                                });
                if (schema.has("required")) {
                    assertThat(example.map().keySet().stream().map(Object::toString))
                            .as("%s has what is required", where)
                            .containsAll(schema.texts("required"));
                }
            }
            case "array" -> example.items().forEach(i -> fits(i, schema.at("items"), where + "[]"));
            case "integer" -> assertThat(example.value()).as(where).isInstanceOf(Integer.class);
            case "boolean" -> assertThat(example.value()).as(where).isInstanceOf(Boolean.class);
            default -> assertThat(example.value()).as(where).isInstanceOf(String.class);
        }
    }

    /** Anchors of a page's headings, as they are made when it is shown. */
    private static List<String> anchors(Path page) throws IOException {
        return Files.readString(page)
                .lines()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
                .map(line -> line.replaceAll("[^a-z0-9 _-]", "").replace(' ', '-'))
                .toList();
    }

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map((MatchResult m) -> m.group(1)).toList();
    }
}
