package io.coil.bench.storm;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.watch.Changes;
import io.coil.kubernetes.watch.ObjectKey;
import io.coil.kubernetes.watch.Reflector;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * When which request was answered, as one watch over all of them shows it. An agent has a watch of
 * its own; here one stands for all, so that the nodes do not cost what they would not elsewhere.
 */
final class Answers implements AutoCloseable {
    private final Timeline timeline;
    private final Map<String, CompletableFuture<Answer>> answers = new ConcurrentHashMap<>();
    private final Reflector<BlockRequest, Answer> requests;

    /** {@code failure} null: the request is complete. */
    record Answer(String uid, long atNanos, @Nullable String failure) {}

    Answers(KubeApi api, Timeline timeline, Selection selection) {
        this.timeline = timeline;
        this.requests =
                new Reflector<>(
                        api,
                        timeline,
                        Kinds.REQUESTS,
                        selection,
                        this::answer,
                        new Changes<>() {
                            @Override
                            public void upserted(ObjectKey key, @Nullable Answer old, Answer now) {
                                of(now.uid()).complete(now);
                            }
                        });
    }

    private @Nullable Answer answer(BlockRequest request) {
        if (request.open()) {
            return null;
        }
        BlockRequest.Condition failed = request.condition(BlockRequest.FAILED);
        return new Answer(
                Meta.uid(request.metadata()),
                timeline.nanos(),
                failed == null ? null : failed.reason() + ": " + failed.message());
    }

    Answers start() throws InterruptedException {
        requests.start();
        if (!requests.awaitSynced(Duration.ofSeconds(30))) {
            throw new IllegalStateException("the API does not show us its block requests");
        }
        return this;
    }

    /** Waits for the answer to the request of that UID, and says when it came. */
    long await(String uid, Duration most) throws InterruptedException {
        try {
            Answer answer = of(uid).get(most.toNanos(), TimeUnit.NANOSECONDS);
            if (answer.failure() != null) {
                throw new IllegalStateException("a request failed: " + answer.failure());
            }
            return answer.atNanos();
        } catch (TimeoutException e) {
            throw new IllegalStateException(
                    "a request was not answered within %d s".formatted(most.toSeconds()), e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** How many of these are answered by now. */
    int count(Collection<String> uids) {
        return (int) uids.stream().filter(uid -> of(uid).isDone()).count();
    }

    private CompletableFuture<Answer> of(String uid) {
        return answers.computeIfAbsent(uid, u -> new CompletableFuture<>());
    }

    @Override
    public void close() {
        requests.stop();
    }
}
