package io.coil.admin.act;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.admin.snapshot.PoolView;
import io.coil.admin.snapshot.Sight;
import io.coil.admin.snapshot.Snapshot;
import io.coil.core.pool.PoolText;
import io.coil.core.pool.Violation;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;

class PoolPreviewTest {
    private final Snapshot cluster =
            new Sight()
                    .node("n1", "192.168.0.1")
                    .pool("default", 1, "10.1.0.0/29")
                    .block("default", 0, "n1", "10.1.0.0/31")
                    .block("gone", 3, "n1", "10.9.0.0/31")
                    .snapshot();

    private PoolPreview preview(String name, int bits, String... ipv4) {
        List<PoolText.SubnetText> subnets =
                List.of(ipv4).stream().map(s -> new PoolText.SubnetText(s, null)).toList();
        return PoolPreview.ofNew(new PoolOrder(name, bits, subnets, "", null), cluster);
    }

    private static List<String> sentences(PoolPreview preview) {
        return preview.violations().stream().map(Violation::message).toList();
    }

    @Test
    void aPoolIsShownByItsFirstBlocksAndItsLast() {
        PoolPreview preview = preview("p", 5, "10.64.0.0/20");

        assertThat(preview.allowed()).isTrue();
        assertThat(preview.blocks()).isEqualTo(128);
        assertThat(preview.blockSize()).isEqualTo(32);
        assertThat(preview.addresses()).isEqualTo(4096);
        assertThat(preview.first())
                .extracting(PoolPreview.Block::name)
                .containsExactly("p-0", "p-1", "p-2", "p-3");
        assertThat(preview.first().getFirst().ranges()).isEqualTo("10.64.0.0/27");
        assertThat(preview.last())
                .containsExactly(new PoolPreview.Block("p-127", "10.64.15.224/27"));
        assertThat(preview.warnings()).isEmpty();
    }

    @Test
    void allOfASmallPoolIsShownOnce() {
        PoolPreview preview = preview("p", 0, "10.64.0.0/31");

        assertThat(preview.first()).hasSize(2);
        assertThat(preview.last()).isEmpty();
    }

    @Test
    @DisplayName("D5: what meets another pool, or a block that is left, is said with its name")
    void conflicts() {
        assertThat(sentences(preview("p", 1, "10.1.0.4/30")))
                .singleElement()
                .asString()
                .contains("10.1.0.4/30 overlaps 10.1.0.0/29 of the pool default");
        assertThat(sentences(preview("p", 1, "10.9.0.0/24")))
                .singleElement()
                .asString()
                .contains("gone-3");
        assertThat(sentences(preview("p", 1, "10.64.0.0/24", "10.64.0.128/25")))
                .singleElement()
                .asString()
                .contains("of the same pool");
        assertThat(sentences(preview("default", 1, "10.64.0.0/24")))
                .containsExactly("there is a pool default");
    }

    @Test
    @DisplayName("D6: a pool with a node's address in it is warned of, and allowed")
    void nodeAddress() {
        PoolPreview preview = preview("p", 1, "192.168.0.0/24");

        assertThat(preview.allowed()).isTrue();
        assertThat(preview.warnings())
                .singleElement()
                .asString()
                .contains("192.168.0.1, an address of the node n1");
        assertThat(preview("p", 1, "192.168.1.0/24").warnings()).isEmpty();
    }

    @Test
    void whatCannotBeReadIsSaidAndNoBlockIsShown() {
        PoolPreview preview = preview("p", 1, "10.64.0.0/33");

        assertThat(preview.allowed()).isFalse();
        assertThat(preview.first()).isEmpty();
        assertThat(preview.blocks()).isZero();
        assertThat(preview("No Name", 1, "10.64.0.0/24").allowed()).isFalse();
        assertThat(preview("p", 17, "10.0.0.0/8").allowed()).isFalse();
        assertThat(preview("p", 1).allowed()).isFalse();
    }

    @Test
    void growthShowsOnlyWhatComes() {
        PoolView pool = cluster.pool("default").orElseThrow();

        PoolPreview preview =
                PoolPreview.ofGrowth(
                        pool, List.of(new PoolText.SubnetText("10.2.0.0/30", null)), cluster);

        assertThat(preview.allowed()).isTrue();
        assertThat(preview.blocksBefore()).isEqualTo(4);
        assertThat(preview.blocks()).isEqualTo(2);
        assertThat(preview.first())
                .containsExactly(
                        new PoolPreview.Block("default-4", "10.2.0.0/31"),
                        new PoolPreview.Block("default-5", "10.2.0.2/31"));
        assertThat(
                        PoolPreview.ofGrowth(
                                        pool,
                                        List.of(new PoolText.SubnetText("10.1.0.0/30", null)),
                                        cluster)
                                .allowed())
                .isFalse();
        assertThat(PoolPreview.ofGrowth(pool, List.of(), cluster).allowed()).isFalse();
    }
}
