package io.coil.apiserver.lifecycle;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.Operations.Watch;
import io.coil.apiserver.lifecycle.Operations.WatchEvent;
import io.coil.apiserver.resource.ResourceType;
import io.coil.apiserver.store.Change;
import io.coil.apiserver.store.ChangeFeed;
import io.coil.apiserver.store.ExpiredException;
import io.coil.apiserver.store.StoredObject;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;

/** One client's watch: the changes of a type, as far as they concern its selection. */
final class StoredWatch implements Watch {
    /** How often a client that wants bookmarks gets one while nothing happens. */
    static final Duration BOOKMARK_INTERVAL = Duration.ofSeconds(5);

    private final ResourceType type;
    private final Selection selection;
    private final ChangeFeed feed;
    private final InstantSource clock;
    private final boolean bookmarks;
    private final Deque<WatchEvent> ready = new ArrayDeque<>();
    private Instant lastSent;
    private boolean over;
    private volatile boolean closed;

    StoredWatch(
            ResourceType type,
            Selection selection,
            ChangeFeed feed,
            InstantSource clock,
            boolean bookmarks) {
        this.type = type;
        this.selection = selection;
        this.feed = feed;
        this.clock = clock;
        this.bookmarks = bookmarks;
        this.lastSent = clock.instant();
    }

    void begin(WatchEvent event) {
        ready.add(event);
    }

    @Override
    public @Nullable WatchEvent next(Duration max) throws InterruptedException {
        Duration left = max;
        while (!closed && !over) {
            WatchEvent event = ready.poll();
            if (event != null) {
                lastSent = clock.instant();
                over = event.type().equals("ERROR");
                return event;
            }
            Duration wait = shortest(left);
            long upTo = read(wait);
            if (ready.isEmpty() && upTo > 0 && bookmarkIsDue()) {
                ready.add(bookmark(type, upTo, false));
            }
            left = left.minus(wait);
            if (ready.isEmpty() && (left.isNegative() || left.isZero())) {
                return null;
            }
        }
        return null;
    }

    @Override
    public void close() {
        closed = true;
        feed.close();
    }

    /** Wakes in time for the next bookmark. */
    private Duration shortest(Duration left) {
        if (!bookmarks) {
            return left;
        }
        Duration due = Duration.between(clock.instant(), lastSent.plus(BOOKMARK_INTERVAL));
        return due.isNegative() || due.compareTo(left) > 0 ? left : due.plusMillis(1);
    }

    private boolean bookmarkIsDue() {
        return bookmarks && !clock.instant().isBefore(lastSent.plus(BOOKMARK_INTERVAL));
    }

    /**
     * @return everything up to that version has been read; 0 when the watch is over
     */
    private long read(Duration wait) throws InterruptedException {
        try {
            ChangeFeed.Batch batch = feed.take(wait);
            for (Change change : batch.changes()) {
                @Nullable WatchEvent event = event(change);
                if (event != null) {
                    ready.add(event);
                }
            }
            return batch.upTo();
        } catch (ExpiredException e) {
            ready.clear();
            ready.add(new WatchEvent("ERROR", expired(e)));
            return 0;
        }
    }

    private @Nullable WatchEvent event(Change change) {
        boolean before = selection.includes(change.before());
        boolean after = !change.deleted() && selection.includes(change.after());
        if (after) {
            return new WatchEvent(
                    before ? "MODIFIED" : "ADDED", Outgoing.shared(type, change.after()));
        }
        if (!before) {
            return null;
        }
        return new WatchEvent("DELETED", last(change));
    }

    /** An object that leaves the selection is shown as it was, with the version of its leaving. */
    private ObjectNode last(Change change) {
        StoredObject shown =
                change.deleted() || change.before() == null ? change.after() : change.before();
        ObjectNode copy = Outgoing.copy(type, shown);
        Json.metadata(copy).put("resourceVersion", Long.toString(change.version()));
        return copy;
    }

    static WatchEvent bookmark(ResourceType type, long version, boolean endOfInitial) {
        ObjectNode object = Json.object();
        object.put("apiVersion", type.apiVersion()).put("kind", type.kind());
        ObjectNode metadata = Json.metadata(object);
        metadata.put("resourceVersion", Long.toString(version));
        if (endOfInitial) {
            Json.child(metadata, "annotations").put("k8s.io/initial-events-end", "true");
        }
        return new WatchEvent("BOOKMARK", object);
    }

    private static ObjectNode expired(ExpiredException e) {
        ObjectNode status = Json.object();
        status.put("kind", "Status").put("apiVersion", "v1").set("metadata", Json.object());
        return status.put("status", "Failure")
                .put("message", String.valueOf(e.getMessage()))
                .put("reason", "Expired")
                .put("code", 410);
    }
}
