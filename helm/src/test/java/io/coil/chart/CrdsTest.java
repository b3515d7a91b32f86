package io.coil.chart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The CRDs: what Coil v2 has, to the letter, and what is ours. */
class CrdsTest {
    @Test
    void theFiveKindsAndNoOther() throws IOException {
        try (Stream<Path> files = Files.list(Crds.FOLDER)) {
            assertThat(files.map(f -> f.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "addresspools.yaml",
                            "addressblocks.yaml",
                            "blockrequests.yaml",
                            "nodeblockusages.yaml",
                            "garbagecollections.yaml");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "addresspools, AddressPool, coil.cybozu.com, v2, true",
        "addressblocks, AddressBlock, coil.cybozu.com, v2, false",
        "blockrequests, BlockRequest, coil.cybozu.com, v2, true",
        "nodeblockusages, NodeBlockUsage, ops.coil.io, v1alpha1, false",
        "garbagecollections, GarbageCollection, ops.coil.io, v1alpha1, true",
    })
    void identity(String plural, String kind, String group, String version, boolean status) {
        Node crd = Crds.of(plural);

        assertThat(crd.text("metadata", "name")).isEqualTo(plural + "." + group);
        assertThat(crd.text("spec", "group")).isEqualTo(group);
        assertThat(crd.text("spec", "scope")).isEqualTo("Cluster");
        assertThat(crd.text("spec", "names", "plural")).isEqualTo(plural);
        assertThat(crd.text("spec", "names", "kind")).isEqualTo(kind);
        assertThat(crd.items("spec", "versions")).hasSize(1);
        assertThat(Crds.version(crd).text("name")).isEqualTo(version);
        assertThat(Crds.version(crd).text("served")).isEqualTo("true");
        assertThat(Crds.version(crd).text("storage")).isEqualTo("true");
        assertThat(
                        Crds.version(crd).has("subresources")
                                && Crds.version(crd).at("subresources").has("status"))
                .isEqualTo(status);
    }

    @Test
    void columnsOfBlocksAreCoils() {
        assertThat(
                        Crds.version(Crds.of("addressblocks"))
                                .items("additionalPrinterColumns")
                                .map(c -> c.text("name") + " " + c.text("jsonPath")))
                .containsExactly(
                        "Node .metadata.labels['coil\\.cybozu\\.com/node']",
                        "Pool .metadata.labels['coil\\.cybozu\\.com/pool']",
                        "IPv4 .ipv4",
                        "IPv6 .ipv6");
    }

    @Test
    void aPoolShowsItsBlockSizeAndTheRestOnlyWhenAsked() {
        List<String> columns =
                Crds.version(Crds.of("addresspools"))
                        .items("additionalPrinterColumns")
                        .filter(c -> !c.has("priority"))
                        .map(c -> c.text("jsonPath"))
                        .toList();

        assertThat(columns).containsExactly(".spec.blockSizeBits");
    }

    @Test
    void defaultsAndLimitsOfCoil() {
        Node spec = Crds.schema("addresspools").at("properties", "spec");
        assertThat(spec.text("properties", "blockSizeBits", "default")).isEqualTo("5");
        assertThat(spec.text("properties", "blockSizeBits", "minimum")).isEqualTo("0");
        assertThat(spec.text("properties", "blockSizeBits", "format")).isEqualTo("int32");
        assertThat(spec.text("properties", "subnets", "minItems")).isEqualTo("1");

        assertThat(Crds.schema("addressblocks").texts("required")).containsExactly("index");
        assertThat(Crds.schema("addressblocks").text("properties", "index", "minimum"))
                .isEqualTo("0");
        assertThat(Crds.schema("blockrequests").at("properties", "spec").texts("required"))
                .containsExactlyInAnyOrder("nodeName", "poolName");
    }

    @Test
    void aPoolThatCoilWritesIsStillAPool() {
        // Coil knows no status: so nothing of it may be required.
        Node pool = Crds.schema("addresspools");

        assertThat(pool.has("required")).isFalse();
        assertThat(pool.at("properties", "status").has("required")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"garbagecollections", "nodeblockusages"})
    void listsOfItemsAreBounded(String plural) {
        Node properties = Crds.schema(plural).at("properties");
        Node items =
                plural.equals("garbagecollections")
                        ? properties.at("status", "properties", "items")
                        : properties.at("runs", "items", "properties", "items");

        assertThat(items.text("maxItems")).isEqualTo("500");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "addresspools",
                "addressblocks",
                "blockrequests",
                "nodeblockusages",
                "garbagecollections"
            })
    void everyFieldIsExplainedAndEveryListSaysHowItMerges(String plural) {
        check(Crds.schema(plural), plural);
    }

    private static void check(Node schema, String path) {
        switch (schema.text("type")) {
            case "object" -> {
                if (schema.has("properties")) {
                    schema.map("properties")
                            .forEach(
                                    (name, field) -> {
                                        Node property = new Node((Map<?, ?>) field);
                                        String at = path + "." + name;
                                        if (!name.equals("metadata")) {
                                            assertThat(property.has("description"))
                                                    .as("%s has a description", at)
                                                    .isTrue();
                                        }
                                        check(property, at);
                                    });
                }
            }
            case "array" -> {
                assertThat(schema.has("x-kubernetes-list-type")).as("%s: list type", path).isTrue();
                check(schema.at("items"), path + "[]");
            }
            default -> assertThat(schema.text("type")).isIn("string", "integer", "boolean");
        }
    }
}
