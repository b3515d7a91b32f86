package io.coil.apiserver.rest;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Faults;
import io.coil.apiserver.fault.Faults.Hold;
import io.coil.apiserver.fault.Scope.Call;
import io.coil.apiserver.http.ApiStream;
import io.coil.apiserver.http.JsonText;
import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.Operations.Watch;
import io.coil.apiserver.lifecycle.Operations.WatchEvent;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * A watch as frames of JSON, one a line. It ends when its time is over, after an ERROR, or when a
 * fault says so; faults can also hold it back.
 */
final class WatchStream implements ApiStream {
    /** How often a watch that is held back looks whether it still is. */
    private static final Duration HELD_LOOK = Duration.ofMillis(50);

    /**
     * How often a client that gets no bookmarks is sent an empty line: writing to it is the only
     * way to learn that it is gone.
     */
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);

    private record Late(WatchEvent event, long due) {}

    private final Watch watch;
    private final UnaryOperator<WatchEvent> view;
    private final Faults faults;
    private final Call call;
    private final LongSupplier nanos;
    private final boolean heartbeats;
    private final long end;
    private final Deque<Late> late = new ArrayDeque<>();
    private final Consumer<FaultRule> onFault = this::onFault;
    private long lastSent;
    private volatile boolean over;

    /**
     * @param view makes the object of an event what the client wants to see
     * @param heartbeats whether the client can bear empty lines between frames
     * @param lasts how long the watch is served
     */
    WatchStream(
            Watch watch,
            UnaryOperator<WatchEvent> view,
            Faults faults,
            Call call,
            LongSupplier nanos,
            boolean heartbeats,
            Duration lasts) {
        this.watch = watch;
        this.view = view;
        this.faults = faults;
        this.call = call;
        this.nanos = nanos;
        this.heartbeats = heartbeats;
        this.lastSent = nanos.getAsLong();
        this.end = nanos.getAsLong() + lasts.toNanos();
        faults.watchBegins(onFault);
    }

    /** A fault that was just put in force ends a watch that waits for its next event. */
    private void onFault(FaultRule rule) {
        boolean ends =
                switch (rule.effect()) {
                    case Effect.Partition ignored -> faults.partitions(call);
                    case Effect.WatchEnd ignored -> faults.endsWatch(call);
                    default -> false;
                };
        if (ends) {
            over = true;
            watch.close();
        }
    }

    @Override
    public Part next(Duration max) throws InterruptedException {
        Part part = look(heartbeats ? least(max, HEARTBEAT) : max);
        long now = nanos.getAsLong();
        if (part instanceof Text) {
            lastSent = now;
        } else if (part instanceof Quiet
                && heartbeats
                && now - lastSent >= HEARTBEAT.toNanos()
                && !faults.hold(call).stalled()) {
            lastSent = now;
            return new Text("\n");
        }
        return part;
    }

    private Part look(Duration max) throws InterruptedException {
        long now = nanos.getAsLong();
        if (over || now >= end || faults.endsWatch(call) || faults.partitions(call)) {
            over = true;
            return new End();
        }
        Hold hold = faults.hold(call);
        Late first = late.peek();
        if (first != null && !hold.stalled() && first.due() <= now) {
            late.remove();
            return frame(first.event());
        }
        Duration wait = least(max, Duration.ofNanos(end - now));
        boolean waitsForMore = hold.stalled() || first != null;
        WatchEvent event = watch.next(waitsForMore ? least(wait, HELD_LOOK) : wait);
        if (event == null) {
            return new Quiet();
        }
        // Asked again: a fault may have come while this watch waited.
        hold = faults.hold(call);
        if (hold.stalled() || !hold.lag().isZero() || !late.isEmpty()) {
            late.add(new Late(event, nanos.getAsLong() + hold.lag().toNanos()));
            return new Quiet();
        }
        return frame(event);
    }

    private Part frame(WatchEvent event) {
        boolean error = event.type().equals("ERROR");
        if (error) {
            over = true;
        }
        WatchEvent seen = error ? event : view.apply(event);
        JsonNode frame = Json.object().put("type", seen.type()).set("object", seen.object());
        return new Text(JsonText.write(frame) + "\n");
    }

    private static Duration least(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    @Override
    public void close() {
        faults.watchEnds(onFault);
        watch.close();
    }
}
