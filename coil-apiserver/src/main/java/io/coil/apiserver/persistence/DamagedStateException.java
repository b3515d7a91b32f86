package io.coil.apiserver.persistence;

import java.nio.file.Path;

/** The state cannot be read, and it is not the last record that is torn. */
public final class DamagedStateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DamagedStateException(Path file, long line, String why) {
        super(
                "%s, line %d: %s; nothing was changed. Move the file away to begin anew"
                        .formatted(file, line, why));
    }
}
