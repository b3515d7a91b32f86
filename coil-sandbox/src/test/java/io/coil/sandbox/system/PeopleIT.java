package io.coil.sandbox.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.RunItem;
import io.coil.sandbox.cluster.CniEntry;
import io.coil.sandbox.cluster.CniReply;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What people see, and what it costs. */
@ExtendWith(SharedSandbox.class)
class PeopleIT {
    private static final String AGENT = "system:serviceaccount:kube-system:coil-agent";

    @Test
    @DisplayName("G5: 1,000 ADD and DEL inside held blocks cause no write")
    void g5(Operator operator) throws Exception {
        operator.createPool("test-pool", 2, "10.1.0.0/29");
        operator.createNamespace("test-ns", "test-pool");
        operator.createPod("test-ns", "holder", Operator.NODE);
        operator.awaitReady("test-ns", "holder");
        operator.soon(() -> assertThat(operator.requestsOf("test-pool")).isZero());
        CniEntry plugin = operator.sandbox().plugin(Operator.NODE);
        var requests = operator.sandbox().server().requests();
        long before = requests.writes(AGENT) - requests.sum(k -> isReport(k.user(), k.resource()));

        for (int i = 0; i < 1_000; i++) {
            assertThat(plugin.call(Calls.add("test-ns", "quick"))).matches(CniReply::ok);
            assertThat(plugin.call(Calls.del("test-ns", "quick"))).matches(CniReply::ok);
        }

        long after = requests.writes(AGENT) - requests.sum(k -> isReport(k.user(), k.resource()));
        assertThat(after).isEqualTo(before);
        operator.deletePod("test-ns", "holder");
        operator.assertInvariants();
    }

    private static boolean isReport(String user, String resource) {
        return user.equals(AGENT) && resource.equals("nodeblockusages");
    }

    @Test
    @DisplayName("H1: resources, metrics, REST and page say the same; a deleted pool's series go")
    void h1(Operator operator) throws Exception {
        operator.createPool("test-pool", 1, "10.1.0.0/29");
        operator.createNamespace("test-ns", "test-pool");
        operator.createPod("test-ns", "p1", Operator.NODE);
        operator.awaitReady("test-ns", "p1");
        Dashboard dashboard = Dashboard.signedIn(operator.sandbox());

        operator.soon(
                () -> {
                    var status = Objects.requireNonNull(operator.pool("test-pool").status());
                    var blocks = Objects.requireNonNull(status.blocks());
                    assertThat(blocks.total()).isEqualTo("4");
                    assertThat(blocks.used()).isEqualTo("1");
                    var addresses = Objects.requireNonNull(status.addresses());
                    assertThat(addresses.total()).isEqualTo("8");
                    assertThat(addresses.used()).isEqualTo("1");
                });
        operator.soon(
                () -> {
                    JsonNode pool = dashboard.rest("/api/v1/pools/test-pool").path("pool");
                    assertThat(pool.path("blocks").path("total").asString()).isEqualTo("4");
                    assertThat(pool.path("blocks").path("granted").asString()).isEqualTo("1");
                    assertThat(pool.path("addresses").path("total").asString()).isEqualTo("8");
                    assertThat(pool.path("addresses").path("used").asString()).isEqualTo("1");
                    assertThat(pool.path("candidates").asInt(-1)).isZero();
                });
        String metrics = dashboard.metrics();
        assertThat(series(metrics, "coil_admin_pool_blocks", "total")).isEqualTo(4);
        assertThat(series(metrics, "coil_admin_pool_blocks", "granted")).isEqualTo(1);
        assertThat(series(metrics, "coil_admin_pool_addresses", "total")).isEqualTo(8);
        assertThat(series(metrics, "coil_admin_pool_addresses", "used")).isEqualTo(1);
        assertThat(dashboard.get("/pools/test-pool")).contains(Operator.NODE);

        operator.deletePod("test-ns", "p1");
        operator.soon(() -> assertThat(operator.blocksOf("test-pool")).isEmpty());
        operator.deletePool("test-pool");
        operator.soon(() -> assertThat(operator.poolExists("test-pool")).isFalse());
        operator.soon(() -> assertThat(dashboard.metrics()).doesNotContain("test-pool"));
        operator.assertInvariants();
    }

    private static double series(String metrics, String name, String state) {
        Matcher matcher =
                Pattern.compile(
                                "^%s\\{[^}]*pool=\"test-pool\"[^}]*state=\"%s\"[^}]*\\} (\\S+)$"
                                        .formatted(name, state),
                                Pattern.MULTILINE)
                        .matcher(metrics);
        assertThat(matcher.find()).as("%s of state %s", name, state).isTrue();
        return Double.parseDouble(matcher.group(1));
    }

    @Test
    @DisplayName("H3: a plan changes nothing; applied, it does what is still true")
    void h3(Operator operator) {
        operator.createPool("test-pool", 0, "10.0.0.0/30");
        operator.annotateNode(Operator.NODE, "manual");
        operator.createBlock("test-pool", 0, "10.0.0.0/32", Operator.NODE);
        operator.createBlock("test-pool", 1, "10.0.0.1/32", Operator.NODE);
        operator.soon(() -> assertThat(operator.exported(Operator.NODE)).hasSize(2));

        GarbageCollection plan =
                operator.collect(
                        "plan-" + System.nanoTime(),
                        new GarbageCollection.Spec(
                                List.of(Operator.NODE), null, null, true, null, "test"));

        List<RunItem> planned = Operator.items(plan);
        assertThat(planned)
                .extracting(RunItem::block)
                .containsExactlyInAnyOrder("test-pool-0", "test-pool-1");
        assertThat(planned)
                .allSatisfy(
                        item -> {
                            assertThat(item.rule()).isEqualTo("surplus-block");
                            assertThat(item.node()).isEqualTo(Operator.NODE);
                            assertThat(item.pool()).isEqualTo("test-pool");
                            assertThat(item.evidence()).isNotBlank();
                            assertThat(item.ageSeconds()).isNotNegative();
                            assertThat(item.outcome()).isEqualTo(RunItem.PLANNED);
                        });
        assertThat(operator.blocksOf("test-pool")).hasSize(2);

        // One of the two gets a pod: of it the plan is not true any more.
        operator.createNamespace("test-ns", "test-pool");
        operator.createPod("test-ns", "p1", Operator.NODE);
        operator.awaitReady("test-ns", "p1");
        GarbageCollection applied =
                operator.collect(
                        "apply-" + System.nanoTime(),
                        new GarbageCollection.Spec(
                                List.of(Operator.NODE),
                                null,
                                null,
                                false,
                                Meta.name(plan.metadata()),
                                "test"));

        assertThat(Operator.items(applied))
                .extracting(RunItem::outcome)
                .containsExactlyInAnyOrder(RunItem.DONE, RunItem.NO_LONGER_TRUE);
        operator.soon(() -> assertThat(operator.blocksOf("test-pool")).hasSize(1));
        assertThat(operator.isReady("test-ns", "p1")).isTrue();
        operator.deletePod("test-ns", "p1");
        operator.annotateNode(Operator.NODE, null);
        operator.assertInvariants();
    }
}
