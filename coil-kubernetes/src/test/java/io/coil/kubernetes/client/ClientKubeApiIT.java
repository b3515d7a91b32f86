package io.coil.kubernetes.client;

import static io.coil.kubernetes.TestCluster.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Scope;
import io.coil.kubernetes.TestCluster;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.api.WatchEvent;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Crds;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.NodeBlockUsage;
import io.coil.kubernetes.resource.RunItem;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The client against an API server that keeps versions, finalizers and faults. */
class ClientKubeApiIT {
    private static final TestCluster CLUSTER = new TestCluster();
    private static final Duration LONG = Duration.ofSeconds(10);

    private final KubeApi api = CLUSTER.client("it");

    @AfterEach
    void noFaults() {
        CLUSTER.server.faults().clear();
    }

    @AfterAll
    static void stop() {
        CLUSTER.close();
    }

    @Test
    void aNameIsTakenOnce() {
        AddressBlock made = api.create(Kinds.BLOCKS, block("taken", 0, "n1"));

        ApiFailure.Stale second =
                catchThrowableOfType(
                        ApiFailure.Stale.class,
                        () -> api.create(Kinds.BLOCKS, block("taken", 0, "n2")));

        assertThat(second.alreadyExists()).isTrue();
        assertThat(api.get(Kinds.BLOCKS, null, "taken-0").orElseThrow().metadata())
                .isEqualTo(made.metadata());
    }

    @Test
    void aReplacementOfAnOldVersionIsAConflict() {
        AddressPool old = api.create(Kinds.POOLS, pool("conflict"));
        api.patch(
                Kinds.POOLS,
                null,
                "conflict",
                Preconditions.of(old.metadata()),
                "{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}");

        ApiFailure.Stale failure =
                catchThrowableOfType(ApiFailure.Stale.class, () -> api.replace(Kinds.POOLS, old));

        assertThat(failure.code()).isEqualTo(409);
        assertThat(failure.alreadyExists()).isFalse();
    }

    @Test
    void aBlockGoesBackInTheStepsOfTheProtocol() {
        AddressBlock block = block("back", 0, "n1");
        block.metadata().addFinalizersItem(Names.FINALIZER);
        AddressBlock made = api.create(Kinds.BLOCKS, block);
        Preconditions another = Preconditions.uid("another");

        assertThat(staleCode(() -> api.delete(Kinds.BLOCKS, null, "back-0", another)))
                .isEqualTo(409);
        AddressBlock held =
                api.delete(Kinds.BLOCKS, null, "back-0", Preconditions.of(made.metadata()))
                        .orElseThrow();
        AddressBlock going = api.get(Kinds.BLOCKS, null, "back-0").orElseThrow();
        assertThat(held).isEqualTo(going);
        assertThat(Meta.beingDeleted(going.metadata())).isTrue();
        String without = "{\"metadata\":{\"finalizers\":null}}";
        assertThat(staleCode(() -> api.patch(Kinds.BLOCKS, null, "back-0", another, without)))
                .isEqualTo(409);
        assertThat(
                        staleCode(
                                () ->
                                        api.patch(
                                                Kinds.BLOCKS,
                                                null,
                                                "back-0",
                                                Preconditions.of(made.metadata()),
                                                without)))
                .isEqualTo(409);
        api.patch(Kinds.BLOCKS, null, "back-0", Preconditions.of(going.metadata()), without);

        assertThat(api.get(Kinds.BLOCKS, null, "back-0")).isEmpty();
        assertThat(staleCode(() -> api.delete(Kinds.BLOCKS, null, "back-0", Preconditions.NONE)))
                .isEqualTo(404);
    }

    @Test
    void aLongListComesInPagesAndWhole() {
        for (int i = 0; i < 1_050; i++) {
            api.create(Kinds.BLOCKS, block("paged", i, "n1"));
        }
        long before = CLUSTER.server.requests().count("it", "list", "addressblocks");

        var listing = api.list(Kinds.BLOCKS, Selection.labelled(Names.POOL, "paged"));

        Set<Integer> indices = new HashSet<>();
        listing.items().forEach(b -> indices.add(b.index()));
        assertThat(indices).hasSize(1_050);
        assertThat(CLUSTER.server.requests().count("it", "list", "addressblocks") - before)
                .isEqualTo(3);
    }

    @Test
    void aWatchShowsWhatHappensAfterAList() throws Exception {
        Selection selection = Selection.labelled(Names.POOL, "watched");
        String version = api.list(Kinds.BLOCKS, selection).resourceVersion();

        try (var watching = api.watch(Kinds.BLOCKS, selection, version)) {
            api.create(Kinds.BLOCKS, block("other", 0, "n1"));
            api.create(Kinds.BLOCKS, block("watched", 0, "n1"));
            assertThat(api.delete(Kinds.BLOCKS, null, "watched-0", Preconditions.NONE)).isEmpty();

            assertThat(name(watching.next(LONG))).isEqualTo("present watched-0");
            assertThat(name(watching.next(LONG))).isEqualTo("gone watched-0");
            assertThat(watching.next(Duration.ofSeconds(20)))
                    .isInstanceOf(WatchEvent.Bookmark.class);
        }
    }

    @Test
    void aLostReplyIsTransientAlthoughTheWriteTookEffect() {
        CLUSTER.server
                .faults()
                .add(
                        FaultRule.of("lost", Scope.any().ofUser("it"), new Effect.LostReply())
                                .times(1));

        ApiFailure failure =
                catchThrowableOfType(
                        ApiFailure.class, () -> api.create(Kinds.BLOCKS, block("lost", 0, "n1")));

        assertThat(failure).isInstanceOf(ApiFailure.Transient.class);
        assertThat(api.get(Kinds.BLOCKS, null, "lost-0")).isPresent();
    }

    @Test
    void theServersWishToWaitArrives() {
        CLUSTER.server
                .faults()
                .add(
                        FaultRule.of("slow", Scope.any().ofUser("it"), Effect.tooManyRequests(3))
                                .times(1));

        ApiFailure.Transient failure =
                catchThrowableOfType(
                        ApiFailure.Transient.class, () -> api.get(Kinds.BLOCKS, null, "any-0"));

        assertThat(failure.code()).isEqualTo(429);
        assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void aReportComesBackAsItWasWritten() {
        OffsetDateTime time = OffsetDateTime.parse("2026-03-04T05:06:07.123456Z");
        NodeBlockUsage.Block block =
                new NodeBlockUsage.Block(
                        "default-0",
                        "u0",
                        "default",
                        "18446744073709551616",
                        2,
                        "03",
                        time,
                        "serving");
        RunItem item =
                new RunItem(
                        "surplus-block",
                        "Block",
                        "default-0",
                        null,
                        null,
                        null,
                        null,
                        null,
                        0,
                        RunItem.PLANNED,
                        null);
        NodeBlockUsage usage =
                new NodeBlockUsage(
                        Names.OPS_API,
                        "NodeBlockUsage",
                        new V1ObjectMeta().name("n1"),
                        new NodeBlockUsage.Report("1.0", time, null, "on", List.of(block)),
                        List.of(
                                new NodeBlockUsage.Run(
                                        "run-1", "u1", "Finished", 1, 0, 0, List.of(item), 0)));

        api.create(Kinds.USAGES, usage);
        NodeBlockUsage read = api.get(Kinds.USAGES, null, "n1").orElseThrow();

        assertThat(read.report()).isEqualTo(usage.report());
        assertThat(read.runs()).isEqualTo(usage.runs());
    }

    @Test
    void coilsOwnDefinitionHasNoStatusAndThatIsToldApart() {
        String coils = Crds.yaml().replaceAll("(?m)^ +subresources:\\n +status: \\{\\}\\n", "");
        try (TestCluster cluster = new TestCluster(coils)) {
            KubeApi there = cluster.client("it");
            AddressPool made = there.create(Kinds.POOLS, pool("default"));

            ApiFailure.Stale missing =
                    catchThrowableOfType(
                            ApiFailure.Stale.class, () -> there.replaceStatus(Kinds.POOLS, made));
            there.delete(Kinds.POOLS, null, "default", Preconditions.NONE);
            ApiFailure.Stale gone =
                    catchThrowableOfType(
                            ApiFailure.Stale.class, () -> there.replaceStatus(Kinds.POOLS, made));

            assertThat(missing.statusMissing()).isTrue();
            assertThat(gone.notFound()).isTrue();
        }
    }

    @Test
    void aKindThatIsNotServedSaysNothingOfItsObjects() {
        try (TestCluster cluster = new TestCluster("")) {
            KubeApi there = cluster.client("it");

            ApiFailure failure =
                    catchThrowableOfType(
                            ApiFailure.class, () -> there.get(Kinds.BLOCKS, null, "default-0"));

            assertThat(failure.reason()).isEqualTo(ApiFailure.NO_SUCH_RESOURCE);
        }
    }

    @Test
    void aKubeconfigFileWillDo() throws Exception {
        Path file = Files.createTempFile("coil", ".kubeconfig");
        try {
            Files.writeString(file, CLUSTER.server.adminKubeconfig());

            try (ClientKubeApi admin =
                    ClientKubeApi.create(ClientSettings.kubeconfig(file, "coil-test"))) {
                assertThat(admin.list(Kinds.NAMESPACES, Selection.ALL).items())
                        .extracting(n -> n.getMetadata().getName())
                        .contains("kube-system");
            }
        } finally {
            Files.delete(file);
        }
    }

    private static AddressPool pool(String name) {
        return new AddressPool(
                Names.COIL_API,
                "AddressPool",
                new V1ObjectMeta().name(name),
                new AddressPool.Spec(null, List.of(new AddressPool.Subnet("10.2.0.0/24", null))),
                null);
    }

    private static int staleCode(Runnable call) {
        return catchThrowableOfType(ApiFailure.Stale.class, call::run).code();
    }

    private static String name(@Nullable WatchEvent<AddressBlock> event) {
        return switch (event) {
            case WatchEvent.Present<AddressBlock>(AddressBlock b) ->
                    "present " + Meta.name(b.metadata());
            case WatchEvent.Gone<AddressBlock>(AddressBlock b) -> "gone " + Meta.name(b.metadata());
            case null, default -> "no event of an object: " + event;
        };
    }
}
