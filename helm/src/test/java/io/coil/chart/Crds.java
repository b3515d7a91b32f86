package io.coil.chart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The chart's CRD files, parsed. */
final class Crds {
    static final Path FOLDER = RenderedChart.CHART.resolve("crds");

    private Crds() {}

    static Node of(String plural) {
        try {
            return RenderedChart.parse(Files.readString(FOLDER.resolve(plural + ".yaml")))
                    .getFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Node version(Node crd) {
        return crd.items("spec", "versions").findFirst().orElseThrow();
    }

    static Node schema(String plural) {
        return version(of(plural)).at("schema", "openAPIV3Schema");
    }

    static Node schemaOf(String kind) {
        return schema(kind.toLowerCase(Locale.ROOT) + "s");
    }
}
