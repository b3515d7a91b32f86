package io.coil.apiserver;

import io.coil.apiserver.http.PrivateFile;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;

/** The key that tokens are signed with: kept in the state directory, or made for this run. */
final class SigningKey {
    private static final String FILE = "token.key";
    private static final int BYTES = 32;

    private SigningKey() {}

    static byte[] in(@Nullable Path directory) {
        try {
            Path file = directory == null ? null : directory.resolve(FILE);
            if (file != null && Files.exists(file)) {
                return Files.readAllBytes(file);
            }
            byte[] key = new byte[BYTES];
            new SecureRandom().nextBytes(key);
            if (file != null) {
                PrivateFile.write(file, out -> out.write(key));
            }
            return key;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("writing a key needs no cryptography", e);
        }
    }
}
