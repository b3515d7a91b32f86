package io.coil.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.testing.Servers;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Controllers as processes, killed with SIGKILL while they grant; on a real kube-apiserver where
 * that was built. As many stand by as are needed for somebody to lead at once.
 */
class KillsIT {
    private static final int GRANTS = 500;
    private static final int KILLS = 100;

    /** So many requests are open at once, so that a kill always hits something. */
    private static final int OPEN = 10;

    private static final int PROCESSES = 3;
    private static final int NODES = 25;

    /** Every so many-th process is the program that is shipped. */
    private static final int SHIPPED = 10;

    private static final Duration LONGEST = Duration.ofMinutes(10);

    @TempDir private Path directory;
    private final Map<String, ControllerProcess> running = new LinkedHashMap<>();
    private final Map<String, BlockRequest> open = new HashMap<>();
    private final Map<String, BlockRequest> complete = new HashMap<>();
    private Cluster cluster;
    private ControllerProcess.Ground ground;
    private int started;
    private int asked;

    @BeforeEach
    void start() throws IOException {
        cluster = new Cluster(Servers.best());
        ground =
                ControllerProcess.Ground.prepare(
                        directory,
                        Files.writeString(
                                directory.resolve("kubeconfig"), cluster.server.adminKubeconfig()));
        cluster.pool("default", 0, "10.1.0.0/22");
        for (int i = 0; i < NODES; i++) {
            cluster.node("n" + i);
        }
    }

    @AfterEach
    void stop() {
        running.values().forEach(ControllerProcess::close);
        cluster.close();
    }

    @Test
    @DisplayName("100 times SIGKILL during 500 grants: 500 blocks, none twice, none left over")
    void killedWhileTheyGrant() throws InterruptedException {
        Map<ControllerProcess.Kind, Integer> kills = new HashMap<>();
        await().atMost(LONGEST)
                .pollInterval(Duration.ofMillis(10))
                .untilAsserted(
                        () -> {
                            while (running.size() < PROCESSES) {
                                startOne();
                            }
                            ask();
                            gather();
                            int killed = kills.values().stream().mapToInt(i -> i).sum();
                            if (killed < Math.min(KILLS, complete.size() * KILLS / GRANTS)) {
                                killLeader(kills);
                            }
                            assertThat("%d grants, %d kills".formatted(complete.size(), killed))
                                    .isEqualTo("%d grants, %d kills".formatted(GRANTS, KILLS));
                        });

        assertThat(kills.keySet()).containsExactlyInAnyOrder(ControllerProcess.Kind.values());
        assertOneBlockEach();
    }

    private void killLeader(Map<ControllerProcess.Kind, Integer> kills)
            throws InterruptedException {
        ControllerProcess leader = leader();
        if (leader != null) {
            leader.kill();
            kills.merge(leader.kind(), 1, Integer::sum);
            // It is dead for certain: nobody need wait for its lease.
            cluster.forgetLease();
        }
    }

    private void startOne() {
        String name = "p%03d".formatted(started);
        ControllerProcess.Kind kind =
                started % SHIPPED == 0
                        ? ControllerProcess.Kind.SPRING
                        : ControllerProcess.Kind.PLAIN;
        started++;
        running.put(name, ControllerProcess.start(kind, name, ground));
    }

    private void ask() {
        while (open.size() < OPEN && asked < GRANTS) {
            String name = "r" + asked;
            open.put(name, cluster.request(name, "n" + asked % NODES, "default"));
            asked++;
        }
    }

    /** Looks at what is open; what failed because its index was taken is asked anew. */
    private void gather() {
        for (BlockRequest request : cluster.api.list(Kinds.REQUESTS, Selection.ALL).items()) {
            String name = Meta.name(request.metadata());
            if (request.complete()) {
                // as an agent does that has adopted its block
                complete.put(name, request);
                open.remove(name);
                cluster.api.delete(
                        Kinds.REQUESTS, null, name, Preconditions.of(request.metadata()));
            } else if (request.failed()) {
                assertThat(Objects.requireNonNull(request.condition(BlockRequest.FAILED)).reason())
                        .isEqualTo("IndexTaken");
                cluster.api.delete(
                        Kinds.REQUESTS, null, name, Preconditions.of(request.metadata()));
                open.put(name, cluster.request(name, request.spec().nodeName(), "default"));
            }
        }
    }

    private @Nullable ControllerProcess leader() {
        String holder =
                cluster.api
                        .get(Kinds.LEASES, Names.LEASE_NAMESPACE, Names.LEASE)
                        .map(lease -> Objects.requireNonNull(lease.getSpec()).getHolderIdentity())
                        .orElse("");
        int end = holder == null ? -1 : holder.indexOf('_');
        return end < 0 ? null : running.remove(holder.substring(0, end));
    }

    private void assertOneBlockEach() {
        List<AddressBlock> blocks = cluster.blocks();
        assertThat(blocks).hasSize(GRANTS);
        assertThat(blocks).extracting(AddressBlock::ipv4).doesNotHaveDuplicates();
        assertThat(blocks)
                .extracting(AddressBlock::request)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(
                        complete.values().stream().map(r -> Meta.uid(r.metadata())).toList());
        assertThat(complete.values())
                .allSatisfy(
                        request ->
                                assertThat(blocks)
                                        .anySatisfy(
                                                block -> {
                                                    assertThat(Meta.name(block.metadata()))
                                                            .isEqualTo(request.intent());
                                                    assertThat(block.node())
                                                            .isEqualTo(request.spec().nodeName());
                                                }));
    }
}
