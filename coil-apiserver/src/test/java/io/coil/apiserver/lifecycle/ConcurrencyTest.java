package io.coil.apiserver.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.lifecycle.Operations.Part;
import io.coil.apiserver.lifecycle.Operations.Watch;
import io.coil.apiserver.lifecycle.Operations.WatchEvent;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

class ConcurrencyTest {
    private static final int WRITERS = 8;
    private static final int WRITES = 200;

    private final TestServer server = new TestServer();

    @Test
    @Timeout(60)
    void noPatchIsLostAndAWatchSeesEachOnce() throws Exception {
        ObjectNode made = server.widget("counter");
        Watch watch =
                server.operations.watch(
                        server.widgets(), null, TestServer.since(TestServer.version(made)));

        together(
                () -> {
                    for (int i = 0; i < WRITES; i++) {
                        countUntilTaken();
                    }
                });

        for (int i = 2; i <= WRITERS * WRITES + 1; i++) {
            WatchEvent event = Objects.requireNonNull(watch.next(Duration.ofSeconds(10)));
            assertThat(event.object().path("spec").path("size").asInt()).isEqualTo(i);
        }
        assertThat(watch.next(Duration.ZERO)).isNull();
    }

    @Test
    @Timeout(60)
    void oneOfManyWhoTakeAVersionWins() throws Exception {
        ObjectNode made = server.widget("prize");
        AtomicInteger winners = new AtomicInteger();
        AtomicInteger losers = new AtomicInteger();

        together(
                () -> {
                    ObjectNode mine = made.deepCopy();
                    mine.withObject("spec").put("color", Thread.currentThread().toString());
                    try {
                        server.operations.replace(
                                server.widgets(), null, "prize", Part.MAIN, mine, server.write());
                        winners.incrementAndGet();
                    } catch (ApiStatusException e) {
                        assertThat(e.reason()).isEqualTo("Conflict");
                        losers.incrementAndGet();
                    }
                });

        assertThat(winners).hasValue(1);
        assertThat(losers).hasValue(WRITERS - 1);
    }

    /** A patch that others came before too often is refused, as by Kubernetes, and not lost. */
    private void countUntilTaken() {
        while (true) {
            try {
                server.patch(server.widgets(), "counter", Part.MAIN, this::count);
                return;
            } catch (ApiStatusException e) {
                assertThat(e.reason()).isEqualTo("Conflict");
            }
        }
    }

    private void count(ObjectNode object) {
        ObjectNode spec = object.withObject("spec");
        spec.put("size", spec.path("size").asInt() + 1);
    }

    private static void together(Runnable work) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            threads.add(
                    Thread.ofPlatform()
                            .uncaughtExceptionHandler((t, e) -> failures.add(e))
                            .start(work));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).isEmpty();
    }
}
