package io.coil.cli;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/**
 * Whom to ask, and as whom. What is said on the command line counts, then {@code COIL_SERVER} and
 * {@code COIL_TOKEN}, then the files of a sandbox.
 *
 * @param authority file with the certificates that are trusted; null: those of this Java
 */
record Place(URI server, String token, @Nullable Path authority) {
    static final Set<String> OPTIONS = Set.of("--server", "--token", "--ca-file");
    private static final String SANDBOX = "http://localhost:8080";

    /**
     * @param sandbox the directory of a sandbox's files; need not be there
     */
    static Place of(Arguments arguments, Map<String, String> environment, Path sandbox)
            throws Failure {
        String server = given(arguments.value("--server"), environment.get("COIL_SERVER"));
        String token = given(arguments.value("--token"), environment.get("COIL_TOKEN"));
        String authority = given(arguments.value("--ca-file"), environment.get("COIL_CA_FILE"));
        if (token == null) {
            // A sandbox's token is for that sandbox, and is not shown to anybody else.
            if (server != null && !server.equals(sandboxServer(sandbox))) {
                throw new Failure(
                        Exit.NOT_ALLOWED,
                        "no token for %s: give --token or set COIL_TOKEN".formatted(server));
            }
            token = read(sandbox.resolve("admin.token"));
        }
        if (token == null) {
            throw new Failure(
                    Exit.NOT_ALLOWED,
                    "no token: give --token or set COIL_TOKEN, or start a sandbox (no %s here)"
                            .formatted(sandbox.resolve("admin.token")));
        }
        String where = server == null ? sandboxServer(sandbox) : server;
        return new Place(uri(where), token, authority == null ? null : Path.of(authority));
    }

    private static String sandboxServer(Path sandbox) throws Failure {
        String written = read(sandbox.resolve("admin.url"));
        return written == null ? SANDBOX : written;
    }

    private static @Nullable String given(@Nullable String first, @Nullable String second) {
        if (first != null && !first.isBlank()) {
            return first.strip();
        }
        return second == null || second.isBlank() ? null : second.strip();
    }

    private static URI uri(String text) throws Failure {
        try {
            URI uri = URI.create(text.endsWith("/") ? text : text + "/");
            if (uri.getHost() != null && Set.of("http", "https").contains(uri.getScheme())) {
                return uri;
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw Failure.wrongUse(
                "%s is no address: write it as in https://coil.example.com".formatted(text));
    }

    private static @Nullable String read(Path file) throws Failure {
        try {
            return Files.exists(file) ? Files.readString(file).strip() : null;
        } catch (IOException e) {
            throw new Failure(Exit.NOT_ALLOWED, "%s cannot be read: %s".formatted(file, e));
        }
    }
}
