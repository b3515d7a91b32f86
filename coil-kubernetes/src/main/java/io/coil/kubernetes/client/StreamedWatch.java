package io.coil.kubernetes.client;

import com.google.gson.JsonParseException;

import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.WatchEvent;
import io.kubernetes.client.common.KubernetesObject;

import okio.BufferedSource;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A watch over HTTP. A thread of its own reads ahead a little, because a read of the socket cannot
 * be given up without losing the connection; a slow reader makes the server wait.
 */
final class StreamedWatch<T extends KubernetesObject> implements KubeApi.Watching<T> {
    private static final int AHEAD = 64;

    private final Ask ask;
    private final Http.Stream stream;
    private final EventText<T> text;
    private final BlockingQueue<WatchEvent<T>> read = new ArrayBlockingQueue<>(AHEAD);
    private final Thread reader;
    private volatile boolean closed;
    private WatchEvent.@Nullable Ended<T> end;

    StreamedWatch(Ask ask, Http.Stream stream, EventText<T> text) {
        this.ask = ask;
        this.stream = stream;
        this.text = text;
        this.reader = Thread.ofVirtual().name("watch " + ask).start(this::readAll);
    }

    @Override
    public @Nullable WatchEvent<T> next(Duration max) throws InterruptedException {
        if (end != null) {
            return end;
        }
        WatchEvent<T> event = read.poll(Math.max(0, max.toNanos()), TimeUnit.NANOSECONDS);
        if (event instanceof WatchEvent.Ended<T> over) {
            end = over;
            close();
        }
        return event;
    }

    @Override
    public void close() {
        closed = true;
        stream.call().cancel();
        reader.interrupt();
    }

    private void readAll() {
        try (var response = stream.response()) {
            BufferedSource source = response.body().source();
            WatchEvent<T> event;
            do {
                event = next(source);
                read.put(event);
            } while (!(event instanceof WatchEvent.Ended<T>));
        } catch (InterruptedException e) {
            // Closed: nobody waits for more.
            Thread.currentThread().interrupt();
        }
    }

    private WatchEvent<T> next(BufferedSource source) {
        try {
            String line = source.readUtf8Line();
            while (line != null && line.isBlank()) {
                line = source.readUtf8Line();
            }
            return line == null ? new WatchEvent.Ended<>(null) : text.read(line);
        } catch (IOException e) {
            return new WatchEvent.Ended<>(closed ? null : Failures.noAnswer(ask, e));
        } catch (JsonParseException | IllegalStateException e) {
            return new WatchEvent.Ended<>(Failures.unreadable(ask, e));
        }
    }
}
