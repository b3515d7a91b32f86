package io.coil.chart;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;

import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What Helm makes of the chart: the documents, parsed. */
record RenderedChart(List<Node> documents) {
    static final Path CHART = Path.of("coil");
    static final String NAMESPACE = "coil-system";

    /** Renders with these values; throws what Helm says if it does not like them. */
    static RenderedChart with(Map<String, ?> values) {
        TemplateCommand command =
                new Helm(CHART)
                        .template()
                        .withName("test")
                        .withNamespace(NAMESPACE)
                        .withKubeVersion("1.32.0");
        values.forEach(command::set);
        return new RenderedChart(parse(command.call()));
    }

    /** Every document of a YAML text; duplicate keys are refused. */
    static List<Node> parse(String text) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        List<Node> documents = new ArrayList<>();
        for (Object document : new Yaml(new SafeConstructor(options)).loadAll(text)) {
            if (document != null) {
                documents.add(new Node(document));
            }
        }
        return documents;
    }

    Stream<Node> ofKind(String... kinds) {
        List<String> wanted = List.of(kinds);
        return documents.stream().filter(d -> wanted.contains(d.text("kind")));
    }

    Node the(String kind, String name) {
        return ofKind(kind)
                .filter(d -> d.text("metadata", "name").equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind + " " + name));
    }
}
