package io.coil.apiserver.rest;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.Operations.Watch;
import io.coil.apiserver.lifecycle.Operations.WatchEvent;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The events of another server's watch; a thread of its own waits for them. */
final class ForwardedWatch implements Watch {
    private final InputStream body;

    /** Empty: the end. */
    private final BlockingQueue<Optional<WatchEvent>> events = new LinkedBlockingQueue<>();

    private volatile boolean over;

    private ForwardedWatch(InputStream body) {
        this.body = body;
    }

    static ForwardedWatch of(InputStream body) {
        ForwardedWatch watch = new ForwardedWatch(body);
        Thread.ofVirtual().name("forwarded watch").start(watch::read);
        return watch;
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            String line;
            while ((line = lines.readLine()) != null) {
                JsonNode frame = Json.MAPPER.readTree(line);
                events.add(
                        Optional.of(
                                new WatchEvent(
                                        frame.path("type").asString(), frame.path("object"))));
            }
        } catch (IOException | JacksonException e) {
            // Cut off, by the server or by close(): the client sees the end.
        } finally {
            events.add(Optional.empty());
        }
    }

    @Override
    public @Nullable WatchEvent next(Duration max) throws InterruptedException {
        if (over) {
            return null;
        }
        Optional<WatchEvent> event = events.poll(max.toNanos(), TimeUnit.NANOSECONDS);
        if (event == null) {
            return null;
        }
        over = event.isEmpty();
        return event.orElse(null);
    }

    /** Whether the server has ended it and all that came has been taken. */
    boolean over() {
        return over;
    }

    @Override
    public void close() {
        try {
            body.close();
        } catch (IOException e) {
            // It is not read any more.
        }
    }
}
