package io.coil.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders with all that is in them. */
final class Trees {
    private Trees() {}

    /** As far as it can be deleted: a process that was just killed may still write. */
    static void delete(Path directory) {
        List<Path> all;
        try (Stream<Path> files = Files.walk(directory)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        } catch (IOException | UncheckedIOException e) {
            return;
        }
        for (Path path : all) {
            try {
                Files.deleteIfExists(path);
            } catch (NoSuchFileException e) {
                // Its writer was faster.
            } catch (IOException e) {
                return;
            }
        }
    }
}
