package io.coil.admin.history;

import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.UUID;

/** H2, in a file. */
class EmbeddedHistoryIT extends HistoryContract {
    @TempDir private Path directory;

    @Override
    String empty() {
        return "jdbc:h2:file:" + directory.resolve(UUID.randomUUID().toString());
    }
}
