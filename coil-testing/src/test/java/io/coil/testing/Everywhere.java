package io.coil.testing;

import tools.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/** What differs in more than one answer, by patterns of JSON pointers; and which of them do. */
final class Everywhere {
    private final Map<String, Pattern> patterns = new LinkedHashMap<>();
    private final Set<String> used = new HashSet<>();

    static Everywhere read(String resource) {
        Everywhere everywhere = new Everywhere();
        try (InputStream yaml =
                Objects.requireNonNull(Everywhere.class.getResourceAsStream(resource), resource)) {
            YAMLMapper.builder()
                    .build()
                    .readTree(yaml)
                    .path("everywhere")
                    .forEach(
                            entry -> {
                                String at = entry.path("at").asString();
                                everywhere.patterns.put(at, Pattern.compile(at));
                            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return everywhere;
    }

    boolean covers(String at) {
        boolean covered = false;
        for (Map.Entry<String, Pattern> entry : patterns.entrySet()) {
            if (entry.getValue().matcher(at).matches()) {
                used.add(entry.getKey());
                covered = true;
            }
        }
        return covered;
    }

    /** Those that explain nothing any more. */
    List<String> unused() {
        return patterns.keySet().stream()
                .filter(at -> !used.contains(at))
                .map(at -> at + " differs nowhere")
                .toList();
    }
}
