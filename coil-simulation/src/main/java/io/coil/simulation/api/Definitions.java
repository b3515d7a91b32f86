package io.coil.simulation.api;

import io.coil.apiserver.lifecycle.Operations.FieldValidation;
import io.coil.apiserver.lifecycle.Operations.WriteQuery;
import io.coil.apiserver.resource.ResourceRegistry;
import io.coil.apiserver.resource.ResourceType;
import io.coil.apiserver.storage.Storage;
import io.coil.kubernetes.resource.Crds;

import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Our CustomResourceDefinitions, read once: reading YAML costs more than a run's beginning. */
final class Definitions {
    private static final List<ObjectNode> ALL = read();

    private Definitions() {}

    static void create(Storage storage) {
        ResourceType type = storage.registry().find(ResourceRegistry.DEFINITIONS).orElseThrow();
        for (ObjectNode definition : ALL) {
            storage.operations()
                    .create(
                            type,
                            null,
                            definition.deepCopy(),
                            new WriteQuery(
                                    "setup",
                                    List.of("system:masters"),
                                    false,
                                    FieldValidation.STRICT,
                                    null,
                                    new ArrayList<>()));
        }
    }

    private static List<ObjectNode> read() {
        YAMLMapper yaml = new YAMLMapper();
        List<ObjectNode> all = new ArrayList<>();
        for (String file : Crds.files()) {
            try (InputStream in = Crds.open(file)) {
                all.add((ObjectNode) yaml.readTree(in));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return List.copyOf(all);
    }
}
