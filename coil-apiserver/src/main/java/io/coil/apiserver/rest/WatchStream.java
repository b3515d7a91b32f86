package io.coil.apiserver.rest;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.Faults;
import io.coil.apiserver.fault.Scope.Call;
import io.coil.apiserver.http.ApiStream;
import io.coil.apiserver.http.JsonText;
import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.Operations.Watch;
import io.coil.apiserver.lifecycle.Operations.WatchEvent;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * A watch as frames of JSON, one a line. It ends when its time is over, after an ERROR, or when a
 * fault says so; faults can also hold it back.
 */
final class WatchStream implements ApiStream {
    /** How often a watch that is held back looks whether it still is. */
    private static final Duration HELD_LOOK = Duration.ofMillis(50);

    private record Late(WatchEvent event, long due) {}

    private final Watch watch;
    private final UnaryOperator<WatchEvent> view;
    private final Faults faults;
    private final Call call;
    private final LongSupplier nanos;
    private final long end;
    private final Deque<Late> late = new ArrayDeque<>();
    private boolean over;

    /**
     * @param view makes the object of an event what the client wants to see
     * @param lasts how long the watch is served
     */
    WatchStream(
            Watch watch,
            UnaryOperator<WatchEvent> view,
            Faults faults,
            Call call,
            LongSupplier nanos,
            Duration lasts) {
        this.watch = watch;
        this.view = view;
        this.faults = faults;
        this.call = call;
        this.nanos = nanos;
        this.end = nanos.getAsLong() + lasts.toNanos();
    }

    @Override
    public Part next(Duration max) throws InterruptedException {
        long now = nanos.getAsLong();
        if (over || now >= end || faults.endsWatch(call)) {
            over = true;
            return new End();
        }
        List<Effect> held = faults.onWatch(call);
        if (held.stream().anyMatch(Effect.Partition.class::isInstance)) {
            over = true;
            return new End();
        }
        if (held.stream().anyMatch(Effect.WatchStall.class::isInstance)) {
            return quietFor(least(max, HELD_LOOK));
        }
        Duration lag = lag(held);
        Duration wait = least(max, Duration.ofNanos(end - now));
        if (lag.isZero() && late.isEmpty()) {
            return frame(watch.next(wait));
        }
        return delayed(lag, wait);
    }

    private Part delayed(Duration lag, Duration max) throws InterruptedException {
        WatchEvent event = watch.next(least(max, HELD_LOOK));
        long now = nanos.getAsLong();
        if (event != null) {
            late.add(new Late(event, now + lag.toNanos()));
        }
        Late first = late.peek();
        if (first == null || first.due() > now) {
            return new Quiet();
        }
        late.remove();
        return frame(first.event());
    }

    private static Duration lag(List<Effect> held) {
        Duration lag = Duration.ZERO;
        for (Effect effect : held) {
            if (effect instanceof Effect.WatchLag(Duration by) && by.compareTo(lag) > 0) {
                lag = by;
            }
        }
        return lag;
    }

    private Part frame(@Nullable WatchEvent event) {
        if (event == null) {
            return new Quiet();
        }
        over = event.type().equals("ERROR");
        WatchEvent seen = over ? event : view.apply(event);
        JsonNode frame = Json.object().put("type", seen.type()).set("object", seen.object());
        return new Text(JsonText.write(frame) + "\n");
    }

    private static Part quietFor(Duration time) throws InterruptedException {
        Thread.sleep(time);
        return new Quiet();
    }

    private static Duration least(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    @Override
    public void close() {
        watch.close();
    }
}
