package io.coil.controller;

import static io.coil.controller.Cluster.eventually;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.controller.view.ClusterView;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a person who applies a pool is told: by a refusal, or by a warning beside the yes. */
@OnBothServers
class PoolAdmissionIT {
    private static final Pattern WARNING = Pattern.compile("299 - \"(?:\\\\.|[^\"\\\\])*\"");
    private static final String POOLS = "/apis/coil.cybozu.com/v2/addresspools";

    private final Servers on;
    private Cluster cluster;
    private Replicas replicas;
    private ConfigurableApplicationContext application;
    private RawApi raw;

    PoolAdmissionIT(Servers on) {
        this.on = on;
    }

    @BeforeEach
    void start() {
        cluster = new Cluster(on);
        cluster.leader(); // so that the replica below stands by
        replicas = new Replicas(cluster);
        application = replicas.start();
        Webhooks.configure(cluster, Replicas.ports(application));
        raw =
                new RawApi(
                        cluster.server.url(),
                        cluster.server.adminToken(),
                        cluster.server.caCertificate());
    }

    @AfterEach
    void stop() {
        raw.close();
        replicas.close();
        cluster.close();
    }

    @Test
    @DisplayName("A10: a pool over a block of a pool that vanished is refused, naming the block")
    void a10AnotherPoolOverABlockThatIsLeft() throws Exception {
        cluster.block("default", 0, "n1", "10.1.0.0/31");
        eventually(() -> seen().block("default-0") != null);

        HttpResponse<String> other = create("other", 1, "{\"ipv4\": \"10.1.0.0/28\"}");

        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(other.body())
                .contains(
                        "10.1.0.0/28 overlaps the existing block default-0 (10.1.0.0/31) of the"
                                + " pool default");
        HttpResponse<String> again = create("default", 1, "{\"ipv4\": \"10.1.0.0/29\"}");
        assertThat(again.statusCode()).isEqualTo(201);
        assertThat(warning(again)).contains("the block default-0 (10.1.0.0/31) is left");
    }

    @Test
    @DisplayName("D6: a pool with a Node's InternalIP is warned of, the range beside it is not")
    void d6TheAddressOfANode() throws Exception {
        cluster.node("n1"); // 192.0.2.1
        eventually(() -> seen().node("n1") != null);

        HttpResponse<String> over = create("over", 1, "{\"ipv4\": \"192.0.2.0/30\"}");
        HttpResponse<String> beside = create("beside", 1, "{\"ipv4\": \"192.0.2.4/30\"}");

        assertThat(over.statusCode()).isEqualTo(201);
        assertThat(warning(over))
                .contains("pool over contains 192.0.2.1, an address of the node n1");
        assertThat(beside.statusCode()).isEqualTo(201);
        assertThat(warning(beside)).isEmpty();
    }

    @Test
    @DisplayName("D7: more blocks than indices is allowed, with a warning")
    void d7MoreBlocksThanIndices() throws Exception {
        for (String subnet : new String[] {"fd00::/64", "fd01::/48"}) {
            HttpResponse<String> huge =
                    create("p" + subnet.charAt(3), 0, "{\"ipv6\": \"%s\"}".formatted(subnet));
            assertThat(huge.statusCode()).isEqualTo(201);
            assertThat(warning(huge)).contains("at most 2^31 (2147483648) of them can be used");
        }
        HttpResponse<String> ten = create("ten", 0, "{\"ipv4\": \"10.0.0.0/8\"}");
        assertThat(ten.statusCode()).isEqualTo(201);
        assertThat(warning(ten)).isEmpty();
    }

    @Test
    @DisplayName("D5: host bits are taken as their network, the text is left alone")
    void d5HostBits() throws Exception {
        assertThat(create("default", 1, "{\"ipv4\": \"10.1.0.5/29\"}").statusCode()).isEqualTo(201);

        assertThat(
                        cluster.api
                                .get(Kinds.POOLS, null, "default")
                                .map(AddressPool::spec)
                                .orElseThrow()
                                .entries())
                .containsExactly(new AddressPool.Subnet("10.1.0.5/29", null));
        HttpResponse<String> b = create("b", 0, "{\"ipv4\": \"10.1.0.7/32\"}");
        assertThat(b.statusCode()).isEqualTo(422);
        assertThat(b.body()).contains("10.1.0.7/32 overlaps 10.1.0.0/29 of the pool default");
        // the same addresses in other words are no change
        assertThat(
                        patch("default", "{\"spec\":{\"subnets\":[{\"ipv4\":\"10.1.0.0/29\"}]}}")
                                .statusCode())
                .isEqualTo(200);
    }

    @Test
    @DisplayName("D5: an overlap that is added later is refused")
    void d5AddedLater() throws Exception {
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.pool("b", 1, "10.2.0.0/29");

        HttpResponse<String> grown =
                patch(
                        "b",
                        "{\"spec\":{\"subnets\":[{\"ipv4\":\"10.2.0.0/29\"},{\"ipv4\":\"10.1.0.4/30\"}]}}");

        assertThat(grown.statusCode()).isEqualTo(422);
        assertThat(grown.body())
                .contains("spec.subnets[1].ipv4: 10.1.0.4/30 overlaps 10.1.0.0/29 of the pool");
    }

    @Test
    @DisplayName("D10: pairs of one size are accepted, unequal sizes and mixed families refused")
    void d10DualStack() throws Exception {
        String v6 = "2001:7c7:2100:42f:ffff:ffff:ffff:f000";
        HttpResponse<String> pairs = create("dual", 6, pair("100.126.16.0/20", v6 + "/116"));
        HttpResponse<String> unequal = create("unequal", 6, pair("10.1.0.0/20", "fd00::/117"));
        HttpResponse<String> mixed =
                create(
                        "mixed",
                        6,
                        pair("10.2.0.0/20", "fd01::/116") + ",{\"ipv4\":\"10.3.0.0/20\"}");

        assertThat(pairs.statusCode()).as(pairs.body()).isEqualTo(201);
        assertThat(unequal.statusCode()).isEqualTo(422);
        assertThat(unequal.body()).contains("both ranges of an entry must be of one size");
        assertThat(mixed.statusCode()).isEqualTo(422);
        assertThat(mixed.body()).contains("all entries of a pool have the same families");
    }

    @Test
    void anOldPoolThatBreaksTheRulesCanStillBeAnnotatedAndDeleted() throws Exception {
        // given a pool from before the webhook
        cluster.api.delete(Webhooks.VALIDATING, null, "coil", Preconditions.NONE);
        cluster.api.delete(Webhooks.MUTATING, null, "coil", Preconditions.NONE);
        cluster.pool("p".repeat(70), 20, "10.0.0.0/8", "10.1.0.0/16", "garbage");
        Webhooks.configure(cluster, Replicas.ports(application));
        String name = "p".repeat(70);

        assertThat(patch(name, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}").statusCode())
                .isEqualTo(200);
        assertThat(
                        patch(
                                        name,
                                        "{\"metadata\":{\"annotations\":{\""
                                                + Names.DRAIN
                                                + "\":\"true\"}}}")
                                .statusCode())
                .isEqualTo(200);
        assertThat(
                        patch(
                                        name,
                                        "{\"metadata\":{\"annotations\":{\""
                                                + Names.REUSE_DELAY
                                                + "\":\"soon\"}}}")
                                .body())
                .contains("soon");
        eventually(
                () ->
                        Meta.finalizers(
                                        cluster.api
                                                .get(Kinds.POOLS, null, name)
                                                .orElseThrow()
                                                .metadata())
                                .contains(Names.FINALIZER));
        cluster.api.delete(Kinds.POOLS, null, name, Preconditions.NONE);
        eventually(() -> !cluster.exists(Kinds.POOLS, name));
    }

    private ClusterView seen() {
        return application.getBean(Controller.class).view();
    }

    private static String pair(String ipv4, String ipv6) {
        return "{\"ipv4\": \"%s\", \"ipv6\": \"%s\"}".formatted(ipv4, ipv6);
    }

    private HttpResponse<String> create(String name, int bits, String subnets)
            throws IOException, InterruptedException {
        return raw.send(
                "POST",
                POOLS,
                """
                {"apiVersion": "coil.cybozu.com/v2", "kind": "AddressPool",
                 "metadata": {"name": "%s"}, "spec": {"blockSizeBits": %d, "subnets": [%s]}}
                """
                        .formatted(name, bits, subnets));
    }

    private HttpResponse<String> patch(String name, String patch)
            throws IOException, InterruptedException {
        return raw.send("PATCH", POOLS + "/" + name, patch);
    }

    /** Ours: a server has its own opinion of a finalizer's name. */
    private static String warning(HttpResponse<String> response) {
        return response.headers().allValues("Warning").stream()
                .flatMap(header -> WARNING.matcher(header).results())
                .map(MatchResult::group)
                .filter(warning -> !warning.contains("metadata.finalizers"))
                .collect(Collectors.joining("; "));
    }
}
