package io.coil.kubernetes.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Scope;
import io.coil.kubernetes.TestCluster;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.time.VirtualThreads;
import io.kubernetes.client.openapi.models.CoreV1Event;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

class EventsIT {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final TestCluster cluster = new TestCluster();
    private final KubeApi reader = cluster.client("reader");
    private final Events events =
            new Events(cluster.client("events"), new VirtualThreads(), "coil-agent", "n1");

    @BeforeEach
    void start() {
        events.start();
    }

    @AfterEach
    void stop() {
        events.stop();
        cluster.close();
    }

    @Test
    void theSameSaidAgainOnlyCounts() {
        Subject pod = Subject.pod("default", "web-0", "u1");

        for (int i = 0; i < 3; i++) {
            events.warning(pod, "PoolExhausted", "pool default: 4/4 blocks in use");
        }
        events.normal(Subject.node("n1"), "Collected", "1 block returned");

        await().atMost(LONG).until(() -> written().size() == 2 && said("web-0").getCount() == 3);
        CoreV1Event event = said("web-0");
        assertThat(event.getType()).isEqualTo("Warning");
        assertThat(event.getReason()).isEqualTo("PoolExhausted");
        assertThat(event.getSource().getComponent()).isEqualTo("coil-agent");
        assertThat(event.getInvolvedObject().getUid()).isEqualTo("u1");
        assertThat(said("n1").getMetadata().getNamespace()).isEqualTo("default");
    }

    @Test
    void anObjectIsNotTalkedAboutTooMuch() {
        Subject pod = Subject.pod("default", "web-0", "u1");
        for (int i = 0; i < 50; i++) {
            events.warning(pod, "AddFailed", "try " + i);
        }
        events.warning(pod, "Other", "something else");

        await().atMost(LONG)
                .until(() -> written().stream().anyMatch(e -> "Other".equals(e.getReason())));

        assertThat(written()).hasSize(Bucket.BURST + 1);
    }

    @Test
    void aServerThatIsAwayHoldsNobodyUp() {
        cluster.server
                .faults()
                .add(FaultRule.of("cut", Scope.any().ofUser("events"), new Effect.Partition()));
        Subject pool = new Subject("coil.cybozu.com/v2", "AddressPool", null, "default", "p");

        for (int i = 0; i < 1_500; i++) {
            events.normal(pool, "Reason" + i, "message");
        }

        assertThat(events.dropped()).isPositive();
        cluster.server.faults().clear();
        await().atMost(LONG).until(() -> !written().isEmpty());
    }

    private List<CoreV1Event> written() {
        return reader.list(Kinds.EVENTS, Selection.ALL).items();
    }

    private CoreV1Event said(String about) {
        return written().stream()
                .filter(e -> about.equals(e.getInvolvedObject().getName()))
                .findFirst()
                .orElseThrow();
    }
}
