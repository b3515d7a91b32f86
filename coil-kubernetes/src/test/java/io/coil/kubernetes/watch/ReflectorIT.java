package io.coil.kubernetes.watch;

import static io.coil.kubernetes.TestCluster.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Scope;
import io.coil.kubernetes.TestCluster;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.time.VirtualThreads;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

class ReflectorIT {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Scope OURS = Scope.any().ofUser("reflector");

    private final TestCluster cluster = new TestCluster();
    private final KubeApi writer = cluster.client("writer");
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final Reflector<AddressBlock, String> reflector =
            new Reflector<>(
                    cluster.client("reflector"),
                    new VirtualThreads(),
                    Kinds.BLOCKS,
                    Selection.labelled(Names.POOL, "default"),
                    block -> block.reserved() ? null : block.node(),
                    new Telling());

    private final class Telling implements Changes<String> {
        @Override
        public void upserted(ObjectKey key, @Nullable String old, String now) {
            told.add("%s: %s to %s".formatted(key, old, now));
        }

        @Override
        public void removed(ObjectKey key, String old) {
            told.add("%s: %s gone".formatted(key, old));
        }

        @Override
        public void listed() {
            told.add("listed");
        }
    }

    @BeforeEach
    void start() throws Exception {
        writer.create(Kinds.BLOCKS, block("default", 0, "n1"));
        writer.create(Kinds.BLOCKS, block("other", 0, "n1"));
        reflector.start();
        assertThat(reflector.awaitSynced(LONG)).isTrue();
    }

    @AfterEach
    void stop() {
        reflector.stop();
        cluster.close();
    }

    @Test
    void theImageFollows() throws Exception {
        assertThat(told).containsExactly("default-0: null to n1", "listed");

        AddressBlock made = writer.create(Kinds.BLOCKS, block("default", 1, "n2"));
        assertThat(reflector.awaitVersion(made.metadata().getResourceVersion(), LONG)).isTrue();

        assertThat(reflector.get("default-1")).isEqualTo("n2");
        assertThat(reflector.image()).hasSize(2);
        writer.delete(Kinds.BLOCKS, null, "default-1", Preconditions.NONE);
        await().atMost(LONG).until(() -> reflector.get("default-1") == null);
        assertThat(told).endsWith("default-1: null to n2", "default-1: n2 gone");
        assertThat(reflector.sight().counts().lists()).isEqualTo(1);
    }

    @Test
    void whatIsNotKeptIsNotToldAndWhatIsNoLongerKeptIsGone() throws Exception {
        patch("default-0", "{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}");
        patch("default-0", "{\"metadata\":{\"labels\":{\"coil.cybozu.com/reserved\":\"true\"}}}");

        await().atMost(LONG).until(() -> reflector.image().isEmpty());

        assertThat(told).containsExactly("default-0: null to n1", "listed", "default-0: n1 gone");
    }

    @Test
    void aWatchThatEndsGoesOnWhereItWas() {
        cluster.server.faults().add(FaultRule.of("end", OURS, new Effect.WatchEnd()).times(3));
        await().atMost(LONG).until(() -> reflector.sight().counts().watches() > 3);
        writer.create(Kinds.BLOCKS, block("default", 1, "n2"));

        await().atMost(LONG).until(() -> reflector.get("default-1") != null);

        assertThat(reflector.sight().counts().lists()).isEqualTo(1);
        assertThat(told).containsOnlyOnce("listed");
    }

    @Test
    void aVersionThatIsNoLongerKeptMeansANewList() {
        Scope watches = OURS.onVerbs("watch");
        cluster.server.faults().add(FaultRule.of("expired", watches, Effect.expired()));
        cluster.server.faults().add(FaultRule.of("end", OURS, new Effect.WatchEnd()).times(1));
        await().atMost(LONG).until(() -> reflector.sight().counts().expired() > 0);
        writer.delete(Kinds.BLOCKS, null, "default-0", Preconditions.NONE);
        writer.create(Kinds.BLOCKS, block("default", 1, "n2"));
        cluster.server.faults().clear();

        await().atMost(LONG).until(() -> reflector.get("default-1") != null);

        await().atMost(LONG).until(() -> reflector.image().size() == 1);
        assertThat(reflector.sight().counts().lists()).isGreaterThan(1);
        assertThat(told).contains("default-0: n1 gone");
    }

    @Test
    void aServerThatKeepsRefusingToGoOnIsAskedForEverythingAnew() {
        Scope watches = OURS.onVerbs("watch");
        cluster.server.faults().add(FaultRule.of("refused", watches, Effect.internalError()));
        cluster.server.faults().add(FaultRule.of("end", OURS, new Effect.WatchEnd()).times(1));

        await().atMost(LONG).until(() -> reflector.sight().counts().lists() > 1);

        assertThat(reflector.sight().counts().failures()).isGreaterThanOrEqualTo(3);
        assertThat(reflector.get("default-0")).isEqualTo("n1");
    }

    @Test
    void aPartitionIsSeenAndCaughtUpWith() {
        assertThat(reflector.sight().blindFor()).isZero();
        cluster.server.faults().add(FaultRule.of("cut", OURS, new Effect.Partition()));
        writer.create(Kinds.BLOCKS, block("default", 1, "n2"));

        await().atMost(LONG).until(() -> reflector.sight().blindFor().toMillis() > 500);
        assertThat(reflector.get("default-1")).isNull();
        assertThat(reflector.get("default-0")).isEqualTo("n1");
        cluster.server.faults().clear();

        await().atMost(LONG).until(() -> reflector.get("default-1") != null);
        assertThat(reflector.sight().blindFor()).isZero();
        assertThat(reflector.sight().counts().failures()).isPositive();
    }

    private void patch(String name, String patch) {
        writer.patch(Kinds.BLOCKS, null, name, Preconditions.NONE, patch);
    }
}
