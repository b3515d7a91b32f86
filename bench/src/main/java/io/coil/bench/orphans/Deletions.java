package io.coil.bench.orphans;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.watch.Changes;
import io.coil.kubernetes.watch.ObjectKey;
import io.coil.kubernetes.watch.Reflector;

import org.jspecify.annotations.Nullable;

import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Watches blocks go: from the first that is being deleted to the last that is gone. */
final class Deletions implements AutoCloseable {
    private static final long NOT_YET = Long.MIN_VALUE;
    private static final Duration EVERY = Duration.ofSeconds(2);

    private final Timeline timeline;
    private final int blocks;
    private final CountDownLatch left;
    private final AtomicLong first = new AtomicLong(NOT_YET);
    private final Reflector<AddressBlock, Boolean> watch;

    Deletions(KubeApi api, Timeline timeline, Selection selection, int blocks) {
        this.timeline = timeline;
        this.blocks = blocks;
        this.left = new CountDownLatch(blocks);
        this.watch =
                new Reflector<>(
                        api,
                        timeline,
                        Kinds.BLOCKS,
                        selection,
                        block -> Meta.beingDeleted(block.metadata()),
                        new Changes<>() {
                            @Override
                            public void upserted(
                                    ObjectKey key, @Nullable Boolean old, Boolean deleted) {
                                if (deleted) {
                                    begun();
                                }
                            }

                            @Override
                            public void removed(ObjectKey key, Boolean old) {
                                begun();
                                left.countDown();
                            }
                        });
    }

    private void begun() {
        first.compareAndSet(NOT_YET, timeline.nanos());
    }

    Deletions start() throws InterruptedException {
        watch.start();
        if (!watch.awaitSynced(Duration.ofSeconds(30))) {
            throw new IllegalStateException("the API does not show us its blocks");
        }
        return this;
    }

    /** Waits until all are gone; returns how many a second went. */
    double await(Duration most, PrintStream out) throws InterruptedException {
        long until = timeline.nanos() + most.toNanos();
        while (!left.await(EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
            if (timeline.nanos() - until > 0) {
                throw new IllegalStateException(
                        "%d blocks are not gone after %d s"
                                .formatted(left.getCount(), most.toSeconds()));
            }
            out.printf("    gone: %d of %d%n", blocks - left.getCount(), blocks);
        }
        return blocks / ((timeline.nanos() - first.get()) / 1e9);
    }

    @Override
    public void close() {
        watch.stop();
    }
}
