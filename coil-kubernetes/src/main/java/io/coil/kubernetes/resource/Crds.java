package io.coil.kubernetes.resource;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** The CustomResourceDefinitions of our kinds: the chart's own files, carried along. */
public final class Crds {
    private static final List<String> FILES =
            List.of(
                    "addresspools.yaml",
                    "addressblocks.yaml",
                    "blockrequests.yaml",
                    "nodeblockusages.yaml",
                    "garbagecollections.yaml");

    private Crds() {}

    public static List<String> files() {
        return FILES;
    }

    /** One of {@link #files}, as YAML. */
    public static InputStream open(String file) {
        InputStream yaml = Crds.class.getResourceAsStream("/crds/" + file);
        if (yaml == null) {
            throw new IllegalStateException("not on the class path: crds/" + file);
        }
        return yaml;
    }

    /** All of them as one YAML stream of several documents. */
    public static String yaml() {
        return FILES.stream().map(Crds::text).collect(Collectors.joining("\n---\n"));
    }

    private static String text(String file) {
        try (InputStream yaml = open(file)) {
            return new String(yaml.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
