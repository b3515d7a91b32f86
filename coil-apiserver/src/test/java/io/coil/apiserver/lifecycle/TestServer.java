package io.coil.apiserver.lifecycle;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.Operations.DeleteQuery;
import io.coil.apiserver.lifecycle.Operations.FieldValidation;
import io.coil.apiserver.lifecycle.Operations.ListQuery;
import io.coil.apiserver.lifecycle.Operations.Page;
import io.coil.apiserver.lifecycle.Operations.Part;
import io.coil.apiserver.lifecycle.Operations.Propagation;
import io.coil.apiserver.lifecycle.Operations.WatchQuery;
import io.coil.apiserver.lifecycle.Operations.WriteQuery;
import io.coil.apiserver.resource.ResourceType;
import io.coil.apiserver.storage.Storage;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;

/** A store with a definition of its own, a clock that stands, and short ways to ask it. */
public final class TestServer implements InstantSource {
    public static final String WIDGETS =
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: widgets.example.io}
            spec:
              group: example.io
              scope: Cluster
              names: {kind: Widget, plural: widgets, shortNames: [wd]}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                schema:
                  openAPIV3Schema:
                    type: object
                    required: [spec]
                    properties:
                      spec:
                        type: object
                        required: [size]
                        properties:
                          size: {type: integer, format: int32, minimum: 0}
                          color: {type: string, default: grey}
                      status:
                        type: object
                        properties:
                          phase: {type: string}
            """;

    private static final YAMLMapper YAML = new YAMLMapper();

    public final Storage storage;
    public final Operations operations;
    public final List<String> warnings = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-02T03:04:05.678Z");

    public TestServer() {
        this(clock -> Storage.inMemory(clock, new SplittableRandom(7)));
    }

    public TestServer(Function<InstantSource, Storage> storage) {
        this.storage = storage.apply(this);
        this.operations = this.storage.operations();
        create("apiextensions.k8s.io/v1", "customresourcedefinitions", null, WIDGETS);
        create("v1", "namespaces", null, "metadata: {name: default}");
    }

    @Override
    public Instant instant() {
        return now;
    }

    public void pass(Duration time) {
        now = now.plus(time);
    }

    public ResourceType type(String apiVersion, String plural) {
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        return storage.registry()
                .find(group, apiVersion.substring(slash + 1), plural)
                .orElseThrow(() -> new IllegalArgumentException(plural));
    }

    public ResourceType widgets() {
        return type("example.io/v1", "widgets");
    }

    public ResourceType pods() {
        return type("v1", "pods");
    }

    public static ObjectNode yaml(String text) {
        return (ObjectNode) YAML.readTree(text);
    }

    public ObjectNode create(
            String apiVersion, String plural, @Nullable String namespace, String yaml) {
        return operations.create(type(apiVersion, plural), namespace, yaml(yaml), write());
    }

    public ObjectNode widget(String name) {
        return create(
                "example.io/v1",
                "widgets",
                null,
                "{metadata: {name: %s}, spec: {size: 1}}".formatted(name));
    }

    public WriteQuery write() {
        return new WriteQuery("tester", List.of(), false, FieldValidation.STRICT, null, warnings);
    }

    public WriteQuery dryRun() {
        return new WriteQuery("tester", List.of(), true, FieldValidation.STRICT, null, warnings);
    }

    public DeleteQuery delete() {
        return delete(null, null, null, null);
    }

    public DeleteQuery delete(
            @Nullable String uid,
            @Nullable String version,
            @Nullable Integer grace,
            @Nullable Propagation propagation) {
        return new DeleteQuery(
                "tester", List.of(), false, uid, version, grace, propagation, warnings);
    }

    public ObjectNode patch(
            ResourceType type, String name, Part part, Consumer<ObjectNode> change) {
        return operations.patch(
                type,
                null,
                name,
                part,
                current -> {
                    change.accept(current);
                    return current;
                },
                write());
    }

    public List<String> names(ResourceType type) {
        return names(operations.list(type, null, all()));
    }

    public static List<String> names(Page page) {
        return page.items().stream().map(TestServer::name).toList();
    }

    public static ListQuery all() {
        return new ListQuery(null, null, 0, null, null, null);
    }

    public static WatchQuery since(String version) {
        return new WatchQuery(null, null, version, false, false);
    }

    public static String name(ObjectNode object) {
        return object.path("metadata").path("name").asString();
    }

    public static String version(ObjectNode object) {
        return object.path("metadata").path("resourceVersion").asString();
    }

    public static @Nullable String meta(ObjectNode object, String field) {
        return Json.text(object, "metadata", field);
    }
}
