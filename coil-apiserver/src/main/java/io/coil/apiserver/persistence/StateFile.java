package io.coil.apiserver.persistence;

import io.coil.apiserver.store.ObjectStore.RestoredObject;
import io.coil.apiserver.store.Snapshot;
import io.coil.apiserver.store.StoredObject;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The file that holds everything: first all objects of one moment and a mark, then each write
 * since. It is replaced as a whole by a newer generation, under a name that counts up, so that at
 * any moment one complete file is there.
 */
final class StateFile {
    private static final String SUFFIX = ".state";

    private StateFile() {}

    /** What the newest file says. */
    record Contents(long generation, long version, Collection<RestoredObject> objects) {}

    static Contents read(Path directory) throws IOException {
        long generation = newest(directory);
        if (generation == 0) {
            return new Contents(0, 0, List.of());
        }
        Path file = path(directory, generation);
        record Address(Object type, Object key) {}
        Map<Address, RestoredObject> objects = new LinkedHashMap<>();
        long version = 0;
        List<byte[]> lines = lines(file);
        for (int i = 0; i < lines.size(); i++) {
            LogRecord line;
            try {
                line = LogRecord.parse(lines.get(i));
            } catch (IllegalArgumentException e) {
                if (i == lines.size() - 1) {
                    break;
                }
                throw new DamagedStateException(file, i + 1, String.valueOf(e.getMessage()));
            }
            switch (line) {
                case LogRecord.Put put -> {
                    version = Math.max(version, put.version());
                    objects.put(
                            new Address(put.type(), put.key()),
                            new RestoredObject(put.type(), put.key(), put.version(), put.tree()));
                }
                case LogRecord.Removal removal -> {
                    version = Math.max(version, removal.version());
                    objects.remove(new Address(removal.type(), removal.key()));
                }
                case LogRecord.Mark mark -> version = Math.max(version, mark.version());
            }
        }
        return new Contents(generation, version, objects.values());
    }

    /** Writes the next generation and takes older ones away; the file is open for appending. */
    static RandomAccessFile write(Path directory, long generation, Snapshot snapshot)
            throws IOException {
        Path unfinished = directory.resolve("unfinished");
        try (OutputStream out = Files.newOutputStream(unfinished);
                var buffered = new BufferedOutputStream(out, 1 << 16)) {
            for (StoredObject object : snapshot.objects()) {
                buffered.write(LogRecord.line(object));
            }
            buffered.write(LogRecord.mark(snapshot.version()));
        }
        RandomAccessFile file = new RandomAccessFile(unfinished.toFile(), "rw");
        file.getFD().sync();
        file.seek(file.length());
        Files.move(unfinished, path(directory, generation), StandardCopyOption.ATOMIC_MOVE);
        for (long older : generations(directory)) {
            if (older < generation) {
                Files.deleteIfExists(path(directory, older));
            }
        }
        return file;
    }

    private static Path path(Path directory, long generation) {
        return directory.resolve(generation + SUFFIX);
    }

    private static long newest(Path directory) throws IOException {
        return generations(directory).stream().mapToLong(Long::longValue).max().orElse(0);
    }

    private static List<Long> generations(Path directory) throws IOException {
        List<Long> found = new ArrayList<>();
        try (var files = Files.list(directory)) {
            files.map(f -> f.getFileName().toString())
                    .filter(n -> n.matches("[1-9][0-9]{0,17}\\" + SUFFIX))
                    .forEach(
                            n ->
                                    found.add(
                                            Long.parseLong(
                                                    n.substring(0, n.length() - SUFFIX.length()))));
        }
        return found;
    }

    /** Lines without their ends; a last one without an end was torn and is left out. */
    private static List<byte[]> lines(Path file) throws IOException {
        List<byte[]> lines = new ArrayList<>();
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            byte[] chunk = new byte[1 << 16];
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                int start = 0;
                for (int i = 0; i < read; i++) {
                    if (chunk[i] == '\n') {
                        line.write(chunk, start, i - start);
                        lines.add(line.toByteArray());
                        line.reset();
                        start = i + 1;
                    }
                }
                line.write(chunk, start, read - start);
            }
        }
        return lines;
    }
}
