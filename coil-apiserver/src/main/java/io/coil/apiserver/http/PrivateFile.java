package io.coil.apiserver.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;

/** Files that only their owner may read. */
public final class PrivateFile {
    /** Writes the content. */
    @FunctionalInterface
    public interface Content {
        void write(OutputStream out) throws IOException, GeneralSecurityException;
    }

    private PrivateFile() {}

    /** The file is there completely or not at all. */
    public static void write(Path file, Content content)
            throws IOException, GeneralSecurityException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        content.write(bytes);
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(fresh);
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        if (posix) {
            Files.createFile(
                    fresh,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
        }
        Files.write(fresh, bytes.toByteArray());
        Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
    }
}
