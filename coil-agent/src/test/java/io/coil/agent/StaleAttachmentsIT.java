package io.coil.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.agent.cni.CniReply;
import io.coil.agent.kernel.PodLink;
import io.coil.core.holdings.ContainerKey;
import io.coil.core.net.Address;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the runtime's GC takes away. */
class StaleAttachmentsIT {

    @Test
    @DisplayName("H11: GC frees what the runtime does not list, in both spellings")
    void h11() throws Exception {
        try (Cluster cluster = new Cluster("coil.agent.linger", "1m").start()) {
            cluster.pool("default", 3, "10.1.0.0/29", Map.of());
            for (int i = 1; i <= 4; i++) {
                cluster.add("c" + i, "p" + i);
            }

            assertThat(cluster.n1.gc("").ok()).isTrue();
            assertThat(cluster.n1.inUse()).as("no list is no list").hasSize(4);

            assertThat(
                            cluster.n1
                                    .gc(attachments("cni.dev/valid-attachments", "c1", "c3", "c4"))
                                    .ok())
                    .isTrue();
            assertThat(cluster.n1.inUse()).containsExactly("10.1.0.0", "10.1.0.2", "10.1.0.3");
            assertThat(cluster.n1.gc(attachments("cni.dev/attachments", "c1", "c3")).ok()).isTrue();
            assertThat(cluster.n1.inUse()).containsExactly("10.1.0.0", "10.1.0.2");

            CniReply bad = cluster.n1.gc(",\"cni.dev/valid-attachments\":[{\"ifname\":\"eth0\"}]");
            assertThat(bad.standardOutput()).contains("\"code\":7");
            assertThat(cluster.n1.inUse()).as("a bad list is none").hasSize(2);
            cluster.awaitInvariants();

            assertThat(cluster.n1.gc(attachments("cni.dev/valid-attachments")).ok()).isTrue();
            assertThat(cluster.n1.inUse()).as("an empty list is meant").isEmpty();
            assertThat(cluster.kernel.links()).isEmpty();
        }
    }

    private static String attachments(String key, String... containers) {
        List<String> all = new ArrayList<>();
        for (String container : containers) {
            all.add("{\"containerID\":\"%s\",\"ifname\":\"eth0\"}".formatted(container));
        }
        return ",\"%s\":[%s]".formatted(key, String.join(",", all));
    }

    @Test
    @DisplayName(
            "H11: GC takes away a link of ours that the record does not know, and waits for no other container")
    void h11UnknownLink() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.p2();
            cluster.add("c1", "p1");
            cluster.kernel.attach(
                    new PodLink(
                            new ContainerKey("lost", "eth0"),
                            "default",
                            "vethlost",
                            List.of(Address.parse("10.1.0.1"))),
                    "/run/netns/lost");

            assertThat(cluster.n1.gc(attachments("cni.dev/valid-attachments", "c1")).ok()).isTrue();

            assertThat(cluster.kernel.links())
                    .extracting(l -> l.key().containerId())
                    .containsExactly("c1");
            cluster.kernel.failNext("dump of links", 1);
            assertThat(cluster.n1.gc(attachments("cni.dev/valid-attachments")).standardOutput())
                    .contains("\"code\":5");
            assertThat(cluster.n1.inUse()).hasSize(1);
            cluster.awaitInvariants();
        }
    }
}
