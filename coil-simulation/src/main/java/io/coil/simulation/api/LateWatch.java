package io.coil.simulation.api;

import io.coil.apiserver.lifecycle.Operations;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.WatchEvent;
import io.coil.simulation.schedule.Actor;
import io.kubernetes.client.common.KubernetesObject;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** A watch whose events come late: each as late as its lot says, never one before another. */
public final class LateWatch<T extends KubernetesObject> implements KubeApi.Watching<T> {
    private static final Duration BOOKMARKS = Duration.ofMinutes(1);

    private record Due(long at, Operations.WatchEvent event) {}

    private final Server server;
    private final Line line;
    private final Actor actor;
    private final Kind<T> kind;
    private final Operations.Watch source;
    private final Deque<Due> due = new ArrayDeque<>();
    private Actor.@Nullable Nap nap;
    private WatchEvent.@Nullable Ended<T> end;
    private long lastAt;
    private long bookmarked;

    private LateWatch(Server server, Line line, Kind<T> kind, Operations.Watch source) {
        this.server = server;
        this.line = line;
        this.actor = line.actor();
        this.kind = kind;
        this.source = source;
        this.bookmarked = now();
    }

    static <T extends KubernetesObject> LateWatch<T> open(
            Server server, Line line, Kind<T> kind, Operations.Watch source) {
        LateWatch<T> watch = new LateWatch<>(server, line, kind, source);
        server.follow(watch);
        line.actor().onDeath(watch::close);
        watch.takeIn();
        return watch;
    }

    Kind<T> kind() {
        return kind;
    }

    /** Whose it is. */
    public String process() {
        return actor.name();
    }

    private long now() {
        return actor.scheduler().nanos();
    }

    /** Takes in what was written, in the step that wrote it. */
    void takeIn() {
        try {
            for (Operations.WatchEvent event = source.next(Duration.ZERO);
                    event != null;
                    event = source.next(Duration.ZERO)) {
                lastAt = Math.max(lastAt, now() + lateness());
                due.add(new Due(lastAt, event));
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nothing is waited for", e);
        }
        Actor.Nap sleeper = nap;
        if (sleeper != null && !due.isEmpty()) {
            sleeper.wakeAt(ready(due.getFirst()));
        }
    }

    private long lateness() {
        double lot = actor.random().nextDouble();
        long most = lot < 0.8 ? 10_000_000 : lot < 0.97 ? 200_000_000 : 3_000_000_000L;
        return 100_000 + (long) (actor.random().nextDouble() * most);
    }

    private long ready(Due first) {
        return Math.max(first.at(), line.fate().blindUntil(actor.name()));
    }

    /** Ends it, as if the connection broke, or its version was no longer kept. */
    public void end(boolean expired) {
        if (end == null) {
            ApiFailure why = expired ? Refusals.expired() : Refusals.noAnswer("watch of " + kind);
            end = new WatchEvent.Ended<>(why);
            close();
            Actor.Nap sleeper = nap;
            if (sleeper != null) {
                sleeper.wake();
            }
        }
    }

    @Override
    public @Nullable WatchEvent<T> next(Duration max) throws InterruptedException {
        actor.alive();
        long until = now() + max.toNanos();
        while (true) {
            if (end != null) {
                return end;
            }
            Due first = due.peek();
            if (first != null && ready(first) <= now()) {
                due.poll();
                return said(first.event());
            }
            if (now() >= until) {
                return first == null ? bookmark() : null;
            }
            waitUntil(first == null ? until : Math.min(until, ready(first)));
        }
    }

    private void waitUntil(long nanos) throws InterruptedException {
        Actor.Nap mine = actor.nap();
        nap = mine;
        try {
            mine.until(nanos);
        } finally {
            nap = null;
        }
    }

    private @Nullable WatchEvent<T> bookmark() {
        boolean blind = line.fate().blindUntil(actor.name()) > now();
        if (blind || now() - bookmarked < BOOKMARKS.toNanos()) {
            return null;
        }
        bookmarked = now();
        return new WatchEvent.Bookmark<>(Long.toString(server.version()));
    }

    private WatchEvent<T> said(Operations.WatchEvent event) {
        JsonNode object = event.object();
        line.trace()
                .add(
                        actor.name(),
                        () ->
                                "sees %s %s/%s (rv %s)"
                                        .formatted(
                                                event.type(),
                                                kind.plural(),
                                                object.path("metadata").path("name").asString(""),
                                                object.path("metadata")
                                                        .path("resourceVersion")
                                                        .asString("")));
        return switch (event.type()) {
            case "ADDED", "MODIFIED" -> new WatchEvent.Present<>(Server.read(kind, object));
            case "DELETED" -> new WatchEvent.Gone<>(Server.read(kind, object));
            default -> {
                end = new WatchEvent.Ended<>(Refusals.expired());
                close();
                yield end;
            }
        };
    }

    @Override
    public void close() {
        server.leave(this);
        source.close();
    }
}
