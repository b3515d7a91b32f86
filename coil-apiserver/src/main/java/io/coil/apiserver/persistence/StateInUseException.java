package io.coil.apiserver.persistence;

import java.nio.file.Path;

/** Another server, in this process or another one, works on the same state directory. */
public final class StateInUseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StateInUseException(Path directory) {
        super(
                "another server uses the state directory %s: stop it, or choose another directory"
                        .formatted(directory));
    }
}
