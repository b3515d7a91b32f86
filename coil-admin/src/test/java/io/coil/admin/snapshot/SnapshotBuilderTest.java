package io.coil.admin.snapshot;

import static io.coil.admin.snapshot.Sight.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.core.net.Address;
import io.coil.core.pool.CollectionMode;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.NodeBlockUsage;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.junit.jupiter.api.Test;

import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;

class SnapshotBuilderTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    /** P2: four blocks of two addresses. */
    private static Sight p2() {
        return new Sight().pool("default", 1, "10.1.0.0/29").node("n1");
    }

    private static BlockState state(Sight sight, String block) {
        return sight.snapshot().block(block).orElseThrow().state();
    }

    @Test
    void h1_oneAddressUsedCountsTheSameEverywhere() {
        Snapshot image =
                p2().block("default", 0, "n1", "10.1.0.0/31")
                        .report("n1", usage("default-0", 1, "serving", null))
                        .snapshot();

        PoolView pool = image.pool("default").orElseThrow();
        assertThat(pool.blocksTotal()).isEqualTo(4);
        assertThat(pool.blocks()).hasSize(1);
        assertThat(pool.addressesTotal()).isEqualTo(8);
        assertThat(pool.total().used()).isEqualTo(1);
        assertThat(pool.total().candidates()).isZero();
        NodeView node = image.node("n1").orElseThrow();
        assertThat(node.of("default"))
                .isEqualTo(new Share(1, 0, 0, 1, BigInteger.TWO))
                .isEqualTo(node.total());
        assertThat(image.totals().blocks()).isEqualTo(1);
        assertThat(image.totals().addressesUsed()).isEqualTo(1);
        assertThat(image.totals().reporting()).isEqualTo(1);
        assertThat(image.findings()).isEmpty();
    }

    @Test
    void h2_aPoolNeverUsedIsThereWithItsNumbers() {
        PoolView pool =
                new Sight().pool("big", 0, "10.0.0.0/8").snapshot().pool("big").orElseThrow();

        assertThat(pool.blocksTotal()).isEqualTo(1 << 24);
        assertThat(pool.blocksFree()).isEqualTo(1 << 24);
        assertThat(pool.state()).isEqualTo(PoolView.State.SERVING);
    }

    @Test
    void aPoolThatCannotBeReadSaysWhy() {
        PoolView pool =
                new Sight().pool("odd", 0, "10.0.0.0/99").snapshot().pool("odd").orElseThrow();

        assertThat(pool.state()).isEqualTo(PoolView.State.UNREADABLE);
        assertThat(pool.problem()).contains("10.0.0.0/99");
    }

    @Test
    void emptyBlocksAreSurplusOnlyBeyondTheLingerAndSpares() {
        Sight sight =
                p2().block("default", 0, "n1", "10.1.0.0/31")
                        .block("default", 1, "n1", "10.1.0.2/31")
                        .block("default", 2, "n1", "10.1.0.4/31")
                        .report(
                                "n1",
                                usage("default-0", 0, "serving", Duration.ofSeconds(10)),
                                usage("default-1", 0, "spare", LONG),
                                usage("default-2", 0, "serving", LONG));

        assertThat(state(sight, "default-0")).isEqualTo(BlockState.EMPTY);
        assertThat(state(sight, "default-1")).isEqualTo(BlockState.SPARE);
        assertThat(state(sight, "default-2")).isEqualTo(BlockState.SURPLUS);
        assertThat(sight.snapshot().totals().candidates()).isEqualTo(1);
        assertThat(sight.snapshot().decisions()).isEmpty();
        assertThat(sight.snapshot().handled()).extracting(Finding::rule).contains("surplus-block");
    }

    @Test
    void aSurplusBlockNeedsADecisionWhereCollectionIsManual() {
        Sight sight =
                new Sight()
                        .pool("default", 1, "10.1.0.0/29")
                        .node("n1", true, CollectionMode.MANUAL)
                        .agent("n1", true, Sight.NOW)
                        .block("default", 0, "n1", "10.1.0.0/31")
                        .report("n1", usage("default-0", 0, "serving", LONG));

        List<Finding> decisions = sight.snapshot().decisions();

        assertThat(decisions).extracting(Finding::rule).containsExactly("surplus-block");
        assertThat(decisions.getFirst().evidence()).contains("manual");
        assertThat(sight.snapshot().node("n1").orElseThrow().findings()).isEqualTo(decisions);
        assertThat(sight.snapshot().pool("default").orElseThrow().findings()).isEqualTo(decisions);
    }

    @Test
    void h9_theStrictestModeOfAllPoolAndNodeHolds() {
        Sight sight =
                new Sight()
                        .mode(CollectionMode.MANUAL)
                        .pool(
                                new V1ObjectMeta()
                                        .name("default")
                                        .uid("p")
                                        .annotations(Map.of(Names.COLLECTION, "off")),
                                1,
                                "10.1.0.0/29")
                        .node("n1")
                        .block("default", 0, "n1", "10.1.0.0/31");

        Snapshot image = sight.snapshot();

        assertThat(image.block("default-0").orElseThrow().mode()).isEqualTo(CollectionMode.OFF);
        assertThat(image.pool("default").orElseThrow().mode()).isEqualTo(CollectionMode.OFF);
        assertThat(image.node("n1").orElseThrow().mode()).isEqualTo(CollectionMode.MANUAL);
    }

    @Test
    void blocksOfANodeThatIsGoneAreOrphansAndTheNodeIsShown() {
        Sight sight = p2().block("default", 0, "n2", "10.1.0.0/31");

        assertThat(state(sight, "default-0")).isEqualTo(BlockState.ORPHAN);
        NodeView gone = sight.snapshot().node("n2").orElseThrow();
        assertThat(gone.exists()).isFalse();
        assertThat(gone.agent()).isEqualTo(AgentState.NODE_GONE);
        assertThat(sight.snapshot().totals().nodes()).isEqualTo(1);
        assertThat(sight.snapshot().handled())
                .extracting(Finding::rule)
                .containsExactly("orphan-block");
        assertThat(sight.mode(CollectionMode.MANUAL).snapshot().decisions())
                .extracting(Finding::rule)
                .containsExactly("orphan-block");
    }

    @Test
    void blocksOfANodeThatIsNotReadyNeedADecision() {
        Sight sight =
                new Sight()
                        .pool("default", 1, "10.1.0.0/29")
                        .node("n1", false, null)
                        .block("default", 0, "n1", "10.1.0.0/31")
                        .report("n1", usage("default-0", 1, "serving", null));

        assertThat(state(sight, "default-0")).isEqualTo(BlockState.DEAD);
        assertThat(sight.snapshot().decisions())
                .extracting(Finding::rule)
                .containsExactly("dead-node-block");
        // its figures stay
        assertThat(sight.snapshot().node("n1").orElseThrow().total().used()).isEqualTo(1);
    }

    @Test
    void anAgentIsSilentWhenItsPodIsMissingOrNotReadyNotWhenItsReportIsOld() {
        Sight sight =
                new Sight()
                        .node("well")
                        .node("missing", true, null)
                        .node("unready", true, null)
                        .agent("unready", false, Sight.NOW.minusSeconds(300))
                        .node("starting", true, null)
                        .agent("starting", false, Sight.NOW.minusSeconds(30));
        for (String node : List.of("well", "missing", "unready", "starting")) {
            sight.report(node);
        }

        Snapshot image = sight.snapshot();

        assertThat(image.node("well").orElseThrow().agent()).isEqualTo(AgentState.REPORTING);
        assertThat(image.node("missing").orElseThrow().agent()).isEqualTo(AgentState.SILENT);
        assertThat(image.node("unready").orElseThrow().agent()).isEqualTo(AgentState.SILENT);
        assertThat(image.node("starting").orElseThrow().agent()).isEqualTo(AgentState.REPORTING);
        assertThat(sight.snapshot().decisions()).extracting(Finding::rule).contains("silent-agent");
    }

    @Test
    void withoutAReportPodsSayWhatIsUsed() {
        Snapshot image =
                p2().block("default", 1, "n1", "10.1.0.2/31")
                        .pod("web", "n1", "10.1.0.3")
                        .snapshot();

        BlockView block = image.block("default-1").orElseThrow();
        assertThat(block.used()).isEqualTo(1);
        assertThat(block.usedFrom()).isEqualTo(BlockView.UsedFrom.PODS);
        assertThat(block.state()).isEqualTo(BlockState.SERVING);
    }

    @Test
    void aReportOfAnEarlierBlockOfThatNameDoesNotCount() {
        Sight sight =
                p2().block("default", 0, "n1", "10.1.0.0/31")
                        .report(
                                "n1",
                                new NodeBlockUsage.Block(
                                        "default-0",
                                        "earlier",
                                        "default",
                                        "2",
                                        2,
                                        "03",
                                        null,
                                        "serving"));

        assertThat(sight.snapshot().block("default-0").orElseThrow().used()).isZero();
        assertThat(state(sight, "default-0")).isEqualTo(BlockState.UNREPORTED);
    }

    @Test
    void reservedBlocksAndBlocksWithoutANodeAreTold() {
        Sight sight =
                p2().block(
                                Map.of(Names.POOL, "default", Names.RESERVED, "true"),
                                "default",
                                0,
                                "10.1.0.0/31")
                        .block("default", 1, null, "10.1.0.2/31");

        assertThat(state(sight, "default-0")).isEqualTo(BlockState.RESERVED);
        assertThat(state(sight, "default-1")).isEqualTo(BlockState.UNHELD);
        assertThat(sight.snapshot().decisions())
                .extracting(Finding::rule)
                .containsExactly("unheld-block");
    }

    @Test
    void h5_exhaustionIsToldWithItsNumbers() {
        Sight sight = new Sight().pool("tiny", 0, "10.9.0.0/31").node("n1");
        sight.block("tiny", 0, "n1", "10.9.0.0/32").block("tiny", 1, "n1", "10.9.0.1/32");
        sight.pod("a", "n1", "10.9.0.0").pod("b", "n1", "10.9.0.1");

        Finding finding = sight.snapshot().decisions().getFirst();

        assertThat(finding.rule()).isEqualTo("exhaustion");
        assertThat(finding.title()).isEqualTo("Pool tiny has no block left");
        assertThat(finding.evidence())
                .isEqualTo(
                        "2 of 2 blocks are granted, with 2 addresses in use; 0 empty; 0 leak"
                                + " candidates.");
    }

    @Test
    void aRequestThatNobodyAnswersIsToldAfterAWhile() {
        assertThat(p2().request("n1", "default", Duration.ofSeconds(5)).snapshot().decisions())
                .isEmpty();
        assertThat(p2().request("n1", "default", LONG).snapshot().decisions())
                .extracting(Finding::title)
                .containsExactly("n1 waits for a block of pool default for 5\u00a0min");
    }

    @Test
    void h6_anAddressLeadsToPodBlockPoolAndNode() {
        Snapshot image =
                p2().block("default", 1, "n1", "10.1.0.2/31")
                        .pod("web", "n1", "10.1.0.3")
                        .snapshot();

        AddressLookup used = AddressLookup.of(Address.parse("10.1.0.3"), image);
        assertThat(used.inUse()).isTrue();
        assertThat(String.valueOf(used.pod())).isEqualTo("shop/web");
        assertThat(used.node()).isEqualTo("n1");
        AddressLookup free = AddressLookup.of(Address.parse("10.1.0.2"), image);
        assertThat(free.inUse()).isFalse();
        assertThat(free.block()).isNotNull();
        AddressLookup notGranted = AddressLookup.of(Address.parse("10.1.0.7"), image);
        assertThat(notGranted.block()).isNull();
        assertThat(notGranted.pool()).isNotNull();
        assertThat(AddressLookup.of(Address.parse("192.0.2.1"), image).pool()).isNull();
    }

    @Test
    void aBitmapIsReadFromItsLowestBit() {
        BlockView block =
                p2().block("default", 0, "n1", "10.1.0.0/31")
                        .report("n1", usage("default-0", 1, "serving", null))
                        .snapshot()
                        .block("default-0")
                        .orElseThrow();

        assertThat(block.inUse(0)).isTrue();
        assertThat(block.inUse(1)).isFalse();
        assertThat(block.inUse(8)).isFalse();
    }

    @Test
    void blocksThatShareAddressesNeedADecision() {
        Sight sight =
                p2().pool("other", 2, "10.1.0.0/28")
                        .block("default", 0, "n1", "10.1.0.0/31")
                        .block("other", 0, "n1", "10.1.0.0/30");

        assertThat(sight.snapshot().decisions())
                .filteredOn(f -> f.rule().equals("overlap"))
                .extracting(Finding::title)
                .containsExactly(
                        "default-0 has addresses of other-0", "other-0 has addresses of default-0");
    }
}
