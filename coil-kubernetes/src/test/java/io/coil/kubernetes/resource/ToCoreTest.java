package io.coil.kubernetes.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.core.garbage.Item;
import io.coil.core.garbage.Kind;
import io.coil.core.garbage.Outcome;
import io.coil.core.garbage.Rule;
import io.coil.core.pool.PoolReading;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What core makes of the resources. */
class ToCoreTest {
    @Test
    void aPoolThatSaysNoBlockSizeHasCoils() {
        AddressPool pool =
                Json.read(
                        """
                {"metadata":{"name":"default"},
                 "spec":{"subnets":[{"ipv4":"10.1.0.0/24"}]}}""",
                        AddressPool.class);

        assertThat(pool.toCore().read())
                .isInstanceOfSatisfying(
                        PoolReading.Understood.class,
                        u -> assertThat(u.spec().blocks()).isEqualTo(8));
    }

    @Test
    void aBlockTakesTheIndexOfItsName() {
        AddressBlock block = block("my-pool-7", 3, "10.1.0.0/31", "other");

        assertThat(block.toCore().pool()).isEqualTo("my-pool");
        assertThat(block.toCore().index()).isEqualTo(7);
        assertThat(block.toCore().range()).isNotNull();
    }

    @Test
    void aBlockOfAnotherNameTakesWhatItsLabelAndFieldSay() {
        AddressBlock block = block("handmade", 3, "nonsense", "default");

        assertThat(block.toCore().pool()).isEqualTo("default");
        assertThat(block.toCore().index()).isEqualTo(3);
        assertThat(block.toCore().range()).isNull();
    }

    @Test
    void aRunMeansWhatItNames() {
        GarbageCollection.Spec spec =
                new GarbageCollection.Spec(List.of("n1"), null, null, null, null, null);

        assertThat(spec.toCore().nodes()).isEqualTo(Set.of("n1"));
        assertThat(spec.toCore().matches("n1", "default", "default-0")).isTrue();
        assertThat(spec.toCore().matches("n2", "default", "default-0")).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Outcome.class)
    void whatAnItemSaysTheDefinitionAllows(Outcome outcome) {
        for (Kind kind : Kind.values()) {
            Item item =
                    new Item(
                            Rule.ORPHAN_BLOCK,
                            kind,
                            "default-0",
                            "u",
                            "default-0",
                            "default",
                            "n1",
                            "no Node n1",
                            Duration.ofSeconds(200),
                            outcome);

            RunItem listed = RunItem.of(item);

            assertThat(Crds.yaml())
                    .contains("- " + listed.kind() + "\n", "- " + listed.outcome() + "\n");
            assertThat(listed.rule()).isEqualTo("orphan-block");
            assertThat(listed.ageSeconds()).isEqualTo(200);
        }
    }

    private static AddressBlock block(String name, int index, String ipv4, String pool) {
        V1ObjectMeta meta =
                new V1ObjectMeta().name(name).uid("u1").labels(Map.of(Names.POOL, pool));
        return new AddressBlock(Names.COIL_API, "AddressBlock", meta, index, ipv4, null);
    }
}
