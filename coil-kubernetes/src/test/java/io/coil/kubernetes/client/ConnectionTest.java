package io.coil.kubernetes.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.kubernetes.api.Kinds;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;

class ConnectionTest {
    private static final int AT_ONCE = 12;
    private static final int ROUNDS = 4;
    private static final String POOL =
            """
            {"apiVersion":"coil.cybozu.com/v2","kind":"AddressPool","metadata":{"name":"p"}}""";

    private final CyclicBarrier together = new CyclicBarrier(AT_ONCE);
    private final Set<Integer> connections = ConcurrentHashMap.newKeySet();

    @Test
    void callsThatAreUnderWayAtOnceFindTheirConnectionsAgain() throws InterruptedException {
        try (ScriptedServer server = new ScriptedServer();
                ClientKubeApi api = ClientKubeApi.create(server.settings())) {
            for (int i = 0; i < AT_ONCE * ROUNDS; i++) {
                server.answer(
                        exchange -> {
                            connections.add(exchange.getRemoteAddress().getPort());
                            waitForAll();
                            ScriptedServer.send(exchange, 200, POOL);
                        });
            }

            for (int round = 0; round < ROUNDS; round++) {
                List<Thread> calls = new ArrayList<>();
                for (int i = 0; i < AT_ONCE; i++) {
                    calls.add(Thread.ofVirtual().start(() -> api.get(Kinds.POOLS, null, "p")));
                }
                for (Thread call : calls) {
                    call.join();
                }
            }
        }

        assertThat(connections).hasSize(AT_ONCE);
    }

    private void waitForAll() throws IOException {
        try {
            together.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (BrokenBarrierException e) {
            throw new IOException(e);
        }
    }
}
