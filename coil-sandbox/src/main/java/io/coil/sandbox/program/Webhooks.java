package io.coil.sandbox.program;

import io.coil.apiserver.admission.ServiceReference;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Where the controllers' admission ports are: what a Service with its endpoints is elsewhere. */
public final class Webhooks {
    private final List<URI> ready = new CopyOnWriteArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();

    void add(URI port) {
        ready.add(port);
    }

    void remove(URI port) {
        ready.remove(port);
    }

    /** One of them in turn, with the path that is asked for; none if no controller runs. */
    public Optional<URI> resolve(ServiceReference service) {
        return next().map(port -> port.resolve(service.path()));
    }

    /** One of them in turn; none if no controller runs. */
    public Optional<URI> next() {
        List<URI> now = List.copyOf(ready);
        return now.isEmpty()
                ? Optional.empty()
                : Optional.of(now.get(Math.floorMod(turn.getAndIncrement(), now.size())));
    }
}
