package io.coil.kubernetes.watch;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Backoff;
import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.api.WatchEvent;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.common.KubernetesObject;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Keeps an image of the objects of a kind: lists them, then watches, and goes on after every
 * failure.
 *
 * <p>Keeps of each object only what {@code keep} returns for it, nothing if that is null; the
 * object itself is let go. {@code keep} is called by the reflector's task alone and must be a
 * function of the object.
 *
 * <p>The image is a hint, never a fact: it may be late by as long as the API is out of sight
 * ({@link #sight}). It is one concurrent map, changed entry by entry: every entry is whole and at
 * least as new as {@link #version}, while an iteration may meet a change half-way through. A new
 * list is merged in, so the image never shrinks for a moment. Whoever needs several entries of one
 * moment follows {@link Changes}.
 */
public final class Reflector<T extends KubernetesObject, V> {
    private static final Logger LOG = LoggerFactory.getLogger(Reflector.class);

    /** How long one wait for an event lasts; only how soon a stop is seen depends on it. */
    private static final Duration LOOK = Duration.ofSeconds(30);

    private static final Duration FIRST_WAIT = Duration.ofMillis(250);
    private static final Duration MOST_WAIT = Duration.ofSeconds(30);

    /** So many refusals in a row, and we list: the server may have an older state than we saw. */
    private static final int MOST_REFUSALS = 3;

    /** A watch that ends sooner than this without a word is not begun again at once. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    private final KubeApi api;
    private final Timeline timeline;
    private final Kind<T> kind;
    private final Selection selection;
    private final Function<? super T, ? extends @Nullable V> keep;
    private final Image<V> image;
    private final Sight sight;
    private final Waiters waiters;
    private final AtomicBoolean started = new AtomicBoolean();
    private final Backoff backoff = new Backoff(FIRST_WAIT, MOST_WAIT);

    private volatile Timeline.@Nullable Running task;
    private volatile boolean synced;
    private volatile @Nullable String version;

    /** Set by the task alone: the version to watch from; null: list first. */
    private @Nullable String from;

    private int refusals;

    public Reflector(
            KubeApi api,
            Timeline timeline,
            Kind<T> kind,
            Selection selection,
            Function<? super T, ? extends @Nullable V> keep,
            Changes<V> changes) {
        this.api = api;
        this.timeline = timeline;
        this.kind = kind;
        this.selection = selection;
        this.keep = keep;
        this.image = new Image<>(changes);
        this.sight = new Sight(timeline);
        this.waiters = new Waiters(timeline);
    }

    /** Begins; once. */
    public void start() {
        if (!started.compareAndSet(false, true)) {
            throw new IllegalStateException("started before: " + kind);
        }
        task = timeline.start("reflector " + kind, this::run);
    }

    /** Ends; the image stays as it is. */
    public void stop() {
        Timeline.Running running = task;
        if (running != null) {
            running.stop();
        }
    }

    /** Live and read-only; see above for what a reader may count on. */
    public Map<ObjectKey, V> image() {
        return image.view();
    }

    public @Nullable V get(String name) {
        return image.view().get(ObjectKey.of(name));
    }

    /** A whole list has been read at least once. */
    public boolean synced() {
        return synced;
    }

    public boolean awaitSynced(Duration max) throws InterruptedException {
        return waiters.await(this::synced, max);
    }

    /** The last version seen; null before the first list. */
    public @Nullable String version() {
        return version;
    }

    /**
     * Waits until the image is at least as new as {@code resourceVersion}; false if it was not in
     * {@code max}. Meant for what this selection shows: of changes to other objects the reflector
     * hears by bookmark only, about once a minute.
     */
    public boolean awaitVersion(String resourceVersion, Duration max) throws InterruptedException {
        return waiters.await(() -> Versions.reached(version, resourceVersion), max);
    }

    /** When the API was last seen, and how often it was not. */
    public Sight sight() {
        return sight;
    }

    private void run() throws InterruptedException {
        while (true) {
            try {
                String since = from;
                if (since == null) {
                    since = list();
                }
                watch(since);
            } catch (ApiFailure failure) {
                failed(failure);
            }
        }
    }

    private String list() {
        sight.lists.increment();
        Set<ObjectKey> all = new HashSet<>();
        String listed =
                api.list(
                        kind,
                        selection,
                        object -> {
                            ObjectKey key = ObjectKey.of(object);
                            all.add(key);
                            image.present(key, keep.apply(object));
                        });
        seen(listed);
        image.listed(all);
        synced = true;
        waiters.look();
        backoff.reset();
        return listed;
    }

    private void watch(String since) throws InterruptedException {
        sight.watches.increment();
        long begun = timeline.nanos();
        boolean silent = true;
        try (KubeApi.Watching<T> watching = api.watch(kind, selection, since)) {
            sight.contact();
            while (true) {
                WatchEvent<T> event = watching.next(LOOK);
                if (event instanceof WatchEvent.Ended<T>(ApiFailure failure)) {
                    if (failure != null) {
                        throw failure;
                    }
                    break;
                }
                if (event != null) {
                    apply(event);
                    silent = false;
                    backoff.reset();
                }
            }
        }
        if (silent && timeline.nanos() - begun < SHORT.toNanos()) {
            timeline.sleep(backoff.next(timeline.random()));
        }
    }

    private void apply(WatchEvent<T> event) {
        switch (event) {
            case WatchEvent.Present<T>(T object) -> {
                sight.events.increment();
                image.present(ObjectKey.of(object), keep.apply(object));
                seen(Meta.version(object.getMetadata()));
            }
            case WatchEvent.Gone<T>(T object) -> {
                sight.events.increment();
                image.gone(ObjectKey.of(object));
                seen(Meta.version(object.getMetadata()));
            }
            case WatchEvent.Bookmark<T>(String upTo) -> seen(upTo);
            case WatchEvent.Ended<T> ended -> throw new IllegalStateException("no event: " + ended);
        }
    }

    private void seen(String upTo) {
        from = upTo;
        version = upTo;
        refusals = 0;
        sight.contact();
        waiters.look();
    }

    private void failed(ApiFailure failure) throws InterruptedException {
        boolean stale = failure instanceof ApiFailure.Stale;
        refusals = stale || failure.code() == 0 || failure.code() == 429 ? 0 : refusals + 1;
        if (stale || refusals == MOST_REFUSALS) {
            from = null;
            refusals = 0;
        }
        if (stale) {
            sight.expired.increment();
        } else {
            sight.failed();
        }
        LOG.atDebug()
                .addKeyValue("kind", kind)
                .addKeyValue("failure", failure.getMessage())
                .log("watch ended");
        timeline.sleep(backoff.next(timeline.random(), failure));
    }
}
