package io.coil.apiserver.persistence;

import io.coil.apiserver.store.Change;
import io.coil.apiserver.store.Journal;
import io.coil.apiserver.store.ObjectStore;
import io.coil.apiserver.store.Snapshot;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps every write in a file of a directory of its own. A write is in the file before anybody sees
 * it or is told of it, so nothing is lost when the process is killed. With {@code sync} it is also
 * on the disk before the writer is told; writers that wait at the same time share one flush.
 *
 * <p>The file is no channel, because a channel is closed for good when a thread that uses it is
 * interrupted.
 */
public final class FileJournal implements Journal, AutoCloseable {
    private final Path directory;
    private final boolean sync;
    private final FileChannel lockChannel;

    /** What was found; given to the store once, then forgotten. */
    private StateFile.@Nullable Contents found;

    private long generation;

    // append, rewrite: under the store's lock; volatile for the flush, which is not
    private volatile @Nullable RandomAccessFile file;
    private volatile long appended;
    private final AtomicLong bytesSinceSnapshot = new AtomicLong();
    private volatile boolean broken;

    private final Object flushing = new Object();
    private long flushed;

    private FileJournal(
            Path directory, boolean sync, FileChannel lockChannel, StateFile.Contents found) {
        this.directory = directory;
        this.sync = sync;
        this.lockChannel = lockChannel;
        this.found = found;
        this.generation = found.generation();
    }

    /**
     * Takes the directory, and reads what is in it.
     *
     * @throws StateInUseException when somebody else has it
     * @throws DamagedStateException when it cannot be read
     */
    public static FileJournal open(Path directory, boolean sync) {
        try {
            Files.createDirectories(directory);
            FileChannel lockChannel = lock(directory);
            try {
                return new FileJournal(directory, sync, lockChannel, StateFile.read(directory));
            } catch (IOException | RuntimeException e) {
                lockChannel.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FileChannel lock(Path directory) throws IOException {
        FileChannel channel =
                FileChannel.open(
                        directory.resolve("lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
        @Nullable FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            channel.close();
            throw new StateInUseException(directory);
        }
        return channel;
    }

    /** Fills an empty store with what was found, and begins to keep its writes. */
    public void restoreInto(ObjectStore store) {
        StateFile.Contents contents = found;
        if (contents == null) {
            throw new IllegalStateException("restored already");
        }
        store.restore(contents.objects(), contents.version());
        found = null;
        store.checkpoint(this::rewrite);
    }

    /** How much was appended since the file was last written anew. */
    public long bytesSinceSnapshot() {
        return bytesSinceSnapshot.get();
    }

    /** Begins a new file with what there is now; to be called through the store's checkpoint. */
    public void rewrite(Snapshot snapshot) {
        try {
            synchronized (flushing) {
                RandomAccessFile next = StateFile.write(directory, generation + 1, snapshot);
                RandomAccessFile before = file;
                file = next;
                generation++;
                bytesSinceSnapshot.set(0);
                broken = false;
                if (before != null) {
                    before.close();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void append(Change change) {
        RandomAccessFile out = file;
        if (out == null || broken) {
            throw new IllegalStateException("the state file cannot be written any more");
        }
        byte[] line = LogRecord.line(change);
        try {
            long start = out.getFilePointer();
            try {
                out.write(line);
            } catch (IOException e) {
                broken = true;
                out.setLength(start);
                out.seek(start);
                broken = false;
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the state file cannot be written", e);
        }
        bytesSinceSnapshot.addAndGet(line.length);
        appended = change.version();
    }

    @Override
    public void settle(long version) {
        if (!sync) {
            return;
        }
        synchronized (flushing) {
            if (flushed >= version) {
                return;
            }
            long upTo = appended;
            RandomAccessFile out = file;
            if (out == null) {
                return;
            }
            try {
                out.getFD().sync();
            } catch (IOException e) {
                throw new UncheckedIOException("the state file cannot be flushed", e);
            }
            flushed = upTo;
        }
    }

    @Override
    public void close() {
        try {
            synchronized (flushing) {
                RandomAccessFile out = file;
                file = null;
                if (out != null) {
                    out.close();
                }
            }
            lockChannel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
