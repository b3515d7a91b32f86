package io.coil.bench.api;

import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Retry;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.time.VirtualThreads;

import java.time.Duration;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A fixed number of connections, one call at a time on each: so the load on the server is known,
 * however many nodes there are.
 */
public final class Lines {
    private static final Retry RETRY =
            new Retry(Duration.ofMillis(50), Duration.ofSeconds(2), 20, Duration.ofSeconds(60));

    private final Timeline timeline = new VirtualThreads();
    private final BlockingQueue<KubeApi> idle = new LinkedBlockingQueue<>();
    private final int connections;

    public Lines(Target target, String name, int connections) {
        this.connections = connections;
        for (int i = 0; i < connections; i++) {
            idle.add(target.client(name));
        }
    }

    /** One call, when a connection is free; again when the server is busy. */
    public <R> R call(Function<KubeApi, R> call) throws InterruptedException {
        KubeApi api = idle.take();
        try {
            return RETRY.call(timeline, () -> call.apply(api));
        } finally {
            idle.add(api);
        }
    }

    /** The same for a call that answers nothing. */
    public void run(Consumer<KubeApi> call) throws InterruptedException {
        call(
                api -> {
                    call.accept(api);
                    return true;
                });
    }

    /** Does it with each of the things, as many at once as there are connections. */
    public <T> void each(Collection<T> things, BiConsumer<KubeApi, ? super T> action)
            throws InterruptedException {
        Queue<T> queue = new ConcurrentLinkedQueue<>(things);
        Tasks tasks = new Tasks(timeline);
        for (int i = 0; i < connections; i++) {
            tasks.start(
                    "line " + i,
                    () -> {
                        for (T next = queue.poll(); next != null; next = queue.poll()) {
                            T thing = next;
                            run(api -> action.accept(api, thing));
                        }
                    });
        }
        tasks.await();
    }
}
