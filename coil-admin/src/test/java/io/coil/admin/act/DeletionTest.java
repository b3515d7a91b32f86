package io.coil.admin.act;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.admin.snapshot.PoolView;
import io.coil.admin.snapshot.Sight;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DeletionTest {

    private static PoolView deleting(Sight sight) {
        return sight.pool(
                        new V1ObjectMeta()
                                .name("default")
                                .uid("u")
                                .deletionTimestamp(Sight.at(Sight.NOW)),
                        0,
                        "10.0.0.0/24")
                .snapshot()
                .pool("default")
                .orElseThrow();
    }

    @Test
    @DisplayName("H7: deleting, held by 2 blocks on n1")
    void h7() {
        PoolView pool =
                deleting(
                        new Sight()
                                .node("n1")
                                .block("default", 0, "n1", "10.0.0.0/32")
                                .block("default", 1, "n1", "10.0.0.1/32"));

        assertThat(Deletion.sentence(pool))
                .isEqualTo("Pool default is being deleted, held by 2 blocks on n1.");
    }

    @Test
    void thoseWithTheMostBlocksFirstAndNotAllOfMany() {
        Sight sight = new Sight();
        for (int i = 0; i < 8; i++) {
            sight.node("n" + i).block("default", i, "n" + i, "10.0.0." + i + "/32");
        }
        sight.block("default", 9, "n7", "10.0.0.9/32");

        assertThat(Deletion.sentence(deleting(sight)))
                .isEqualTo(
                        "Pool default is being deleted, held by 2 blocks on n7, 1 block on n0, 1 block on n1, 1 block on n2, 1 block on n3 and 3 blocks on 3 more.");
    }

    @Test
    void withoutABlockItGoesInAMoment() {
        assertThat(Deletion.sentence(deleting(new Sight()))).contains("no block holds it");
    }
}
