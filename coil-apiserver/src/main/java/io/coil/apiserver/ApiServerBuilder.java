package io.coil.apiserver;

import io.coil.apiserver.rest.Backend;
import io.coil.apiserver.rest.LogSource;
import io.coil.apiserver.storage.Storage;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** What an {@link ApiServer} is made of; everything has a default. */
public final class ApiServerBuilder {
    final List<ObjectNode> definitions = new ArrayList<>();
    int port;
    @Nullable Path stateDir;
    InstantSource clock = InstantSource.system();
    RandomGenerator random = new Random();
    LongSupplier nanos = System::nanoTime;
    Backend.Pause pause = Thread::sleep;
    LogSource logs = LogSource.none();
    boolean authorization = true;

    ApiServerBuilder() {}

    /** CustomResourceDefinitions as YAML, several documents in one stream if need be. */
    public ApiServerBuilder crds(InputStream yaml) {
        try (InputStream in = yaml;
                MappingIterator<JsonNode> documents =
                        YAMLMapper.builder().build().readerFor(JsonNode.class).readValues(in)) {
            while (documents.hasNext()) {
                if (documents.next() instanceof ObjectNode definition) {
                    definitions.add(definition);
                }
            }
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

    public ApiServer build() {
        return new ApiServer(this);
    }

    Storage openStorage() {
        return Storage.inMemory(clock, random);
    }
}
