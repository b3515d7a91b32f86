package io.coil.apiserver;

import io.coil.apiserver.admission.HttpsTransport;
import io.coil.apiserver.admission.ServiceReference;
import io.coil.apiserver.admission.WebhookTransport;
import io.coil.apiserver.rest.Backend;
import io.coil.apiserver.rest.LogSource;
import io.coil.apiserver.storage.Storage;
import io.coil.apiserver.storage.Storage.Callouts;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** What an {@link ApiServer} is made of; everything has a default. */
public final class ApiServerBuilder {
    final List<byte[]> definitions = new ArrayList<>();
    int port;
    @Nullable Path stateDir;
    InstantSource clock = InstantSource.system();
    RandomGenerator random = new Random();
    LongSupplier nanos = System::nanoTime;
    Backend.Pause pause = Thread::sleep;
    LogSource logs = LogSource.none();
    Function<ServiceReference, Optional<URI>> services = service -> Optional.empty();
    @Nullable WebhookTransport webhooks;
    boolean authorization = true;
    boolean collection = true;
    boolean sync;

    ApiServerBuilder() {}

    /** CustomResourceDefinitions as YAML, several documents in one stream if need be. */
    public ApiServerBuilder crds(InputStream yaml) {
        try (yaml) {
            definitions.add(yaml.readAllBytes());
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Files with CustomResourceDefinitions, or directories of such files. */
    public ApiServerBuilder crds(Collection<Path> files) {
        for (Path file : files) {
            try {
                if (Files.isDirectory(file)) {
                    try (var inside = Files.list(file)) {
                        crds(inside.filter(f -> f.toString().endsWith(".yaml")).sorted().toList());
                    }
                } else {
                    crds(Files.newInputStream(file));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return this;
    }

    /** 0 (default): any free port. */
    public ApiServerBuilder port(int wanted) {
        port = wanted;
        return this;
    }

    /** Where objects, certificates and the key of tokens are kept; null (default): in memory. */
    public ApiServerBuilder stateDir(@Nullable Path directory) {
        stateDir = directory;
        return this;
    }

    /** The wall clock: creation times, ages, bookmarks. */
    public ApiServerBuilder clock(InstantSource source) {
        clock = source;
        return this;
    }

    /** UIDs, generated names, and which calls faults strike. */
    public ApiServerBuilder random(RandomGenerator generator) {
        random = generator;
        return this;
    }

    /** Monotonic time in nanoseconds, for how long things last. */
    public ApiServerBuilder nanos(LongSupplier source) {
        nanos = source;
        return this;
    }

    /** How time passes when a fault adds latency. */
    public ApiServerBuilder pause(Backend.Pause way) {
        pause = way;
        return this;
    }

    /** Where {@code kubectl logs} finds its lines. */
    public ApiServerBuilder logs(LogSource source) {
        logs = source;
        return this;
    }

    /** Whether roles decide (default), or every authenticated user may do everything. */
    public ApiServerBuilder authorization(boolean on) {
        authorization = on;
        return this;
    }

    /** Where a Service is that a webhook configuration names; empty: nowhere. */
    public ApiServerBuilder serviceResolver(Function<ServiceReference, Optional<URI>> resolver) {
        services = resolver;
        return this;
    }

    /** What carries calls to admission webhooks instead of HTTPS. */
    public ApiServerBuilder webhooks(WebhookTransport transport) {
        webhooks = transport;
        return this;
    }

    /** Whether a started server collects garbage by itself (default). */
    public ApiServerBuilder garbageCollection(boolean on) {
        collection = on;
        return this;
    }

    /**
     * Whether a write waits for the disk. Without (default) it survives the end of the process, but
     * not that of the machine.
     */
    public ApiServerBuilder sync(boolean on) {
        sync = on;
        return this;
    }

    public ApiServer build() {
        return new ApiServer(this);
    }

    Storage openStorage() {
        Path directory = stateDir;
        WebhookTransport given = webhooks;
        Callouts callouts = new Callouts(given == null ? new HttpsTransport() : given, services);
        return directory == null
                ? Storage.inMemory(clock, random, callouts)
                : Storage.inDirectory(directory, sync, clock, random, callouts);
    }
}
