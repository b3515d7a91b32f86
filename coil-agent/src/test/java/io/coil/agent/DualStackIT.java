package io.coil.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.agent.cni.CniReply;
import io.coil.core.net.Cidr;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.resource.AddressPool;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.Map;

/** Pools and blocks of both families. */
class DualStackIT {

    @Test
    @DisplayName("D10: a dual stack pool gives index-aligned pairs, and both routes are exported")
    void d10() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.namespace("dual", "dual");
            cluster.pool(
                    "dual",
                    6,
                    new AddressPool.Subnet(
                            "100.126.16.0/20", "2001:7c7:2100:42f:ffff:ffff:ffff:f000/116"),
                    Map.of());
            cluster.granter.grant(
                    cluster.api.get(Kinds.POOLS, null, "dual").orElseThrow(), "n2", null);

            assertThat(Machine.addresses(cluster.cni("ADD", "c1", "dual", "p1", "/run/netns/c1")))
                    .containsExactly("100.126.16.64", "2001:7c7:2100:42f:ffff:ffff:ffff:f040");
            assertThat(Machine.addresses(cluster.cni("ADD", "c2", "dual", "p2", "/run/netns/c2")))
                    .containsExactly("100.126.16.65", "2001:7c7:2100:42f:ffff:ffff:ffff:f041");

            assertThat(cluster.kernel.exported())
                    .extracting(Cidr::toString)
                    .containsExactlyInAnyOrder(
                            "100.126.16.64/26", "2001:7c7:2100:42f:ffff:ffff:ffff:f040/122");
            cluster.awaitInvariants();
        }
    }

    @Test
    @DisplayName("D10: a block of mixed families gives no address and has no route")
    void d10MixedFamilies() throws Exception {
        try (Cluster cluster = new Cluster("coil.agent.add-wait", "300ms")) {
            cluster.p6();
            cluster.n1.start();
            cluster.block("dual", 0, "fd06::/127", "10.6.0.0/31");

            CniReply reply = cluster.cni("ADD", "c1", "dual", "p1", "/run/netns/c1");

            assertThat(reply.exitCode()).isNotZero();
            assertThat(cluster.agent().blocks()).isEmpty();
            assertThat(cluster.kernel.exported()).isEmpty();
        }
    }

    @Test
    @DisplayName("D10: a block of unequal sizes, made by hand, gives the pairs that there are")
    void d10UnequalSizes() throws Exception {
        try (Cluster cluster = new Cluster("coil.agent.add-wait", "300ms")) {
            cluster.p6();
            cluster.n1.start();
            cluster.block("dual", 0, "10.6.0.0/31", "fd06::/126");
            await().until(() -> cluster.agent().blocks().size() == 1);

            assertThat(Machine.addresses(cluster.cni("ADD", "c1", "dual", "p1", "/run/netns/c1")))
                    .containsExactly("10.6.0.0", "fd06::");
            assertThat(Machine.addresses(cluster.cni("ADD", "c2", "dual", "p2", "/run/netns/c2")))
                    .containsExactly("10.6.0.1", "fd06::1");
            assertThat(cluster.cni("ADD", "c3", "dual", "p3", "/run/netns/c3").exitCode())
                    .as("no third pair")
                    .isNotZero();
            cluster.assertInvariants();
        }
    }
}
