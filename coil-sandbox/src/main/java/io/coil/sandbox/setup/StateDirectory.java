package io.coil.sandbox.setup;

import io.coil.sandbox.CannotStart;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** A directory that one sandbox at a time has, readable by its user alone. */
public final class StateDirectory implements AutoCloseable {
    private final Path path;
    private final FileChannel channel;

    private StateDirectory(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** Makes the directory if need be, and takes it until closed. */
    public static StateDirectory take(Path wanted) throws CannotStart {
        Path path = wanted.toAbsolutePath().normalize();
        try {
            Files.createDirectories(path, attributes("rwx------"));
            FileChannel channel =
                    FileChannel.open(
                            path.resolve("lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE);
            if (!lock(channel)) {
                String holder = Files.readString(path.resolve("lock")).strip();
                channel.close();
                throw new CannotStart(
                        "another sandbox%s uses %s: stop it, or start this one with --state-dir <another directory>"
                                .formatted(
                                        holder.isEmpty() ? "" : " (process " + holder + ")",
                                        wanted));
            }
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap(
                            Long.toString(ProcessHandle.current().pid())
                                    .getBytes(StandardCharsets.US_ASCII)));
            return new StateDirectory(path, channel);
        } catch (IOException e) {
            throw new CannotStart(
                    "the state directory %s cannot be used (%s): choose another with --state-dir"
                            .formatted(wanted, e));
        }
    }

    private static boolean lock(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    public Path path() {
        return path;
    }

    /** A file that the user alone can read; it is there whole or not at all. */
    public Path write(String name, String text) throws IOException {
        Path temporary = Files.createTempFile(path, name, ".new", attributes("rw-------"));
        Files.writeString(temporary, text);
        return Files.move(temporary, path.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private static FileAttribute<?>[] attributes(String permissions) {
        if (!FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            return new FileAttribute<?>[0];
        }
        return new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        };
    }
}
