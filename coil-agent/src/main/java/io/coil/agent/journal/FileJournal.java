package io.coil.agent.journal;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A journal in a file of the node, for its owner's eyes only (0600): it names pods.
 *
 * <p>Not synced to the disk: after a crash of the agent the file is whole, and after one of the
 * machine its containers are gone. A file that cannot be used is said once in the log, and is like
 * a lost one.
 */
public final class FileJournal implements Journal {
    private static final Logger LOG = LoggerFactory.getLogger(FileJournal.class);

    private final Path file;

    // guarded by this
    private boolean broken;
    private boolean opened;

    public FileJournal(Path file) {
        this.file = file;
    }

    @Override
    public synchronized List<Entry> read() {
        List<Entry> entries = new ArrayList<>();
        try {
            for (String line : text().split("\n", -1)) {
                EntryLine.parse(line).ifPresent(entries::add);
            }
        } catch (IOException e) {
            say(e);
        }
        return List.copyOf(entries);
    }

    private String text() throws IOException {
        return Files.exists(file)
                ? new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                : "";
    }

    @Override
    public synchronized void append(Entry entry) {
        try {
            open();
            Files.writeString(
                    file,
                    EntryLine.of(entry) + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
            broken = false;
        } catch (IOException e) {
            say(e);
        }
    }

    /** The last line of an earlier agent may be torn: what comes next stands on one of its own. */
    private void open() throws IOException {
        if (opened) {
            return;
        }
        if (Files.exists(file)) {
            String text = text();
            if (!text.isEmpty() && !text.endsWith("\n")) {
                Files.writeString(file, "\n", StandardOpenOption.APPEND);
            }
        } else {
            OwnerOnly.create(file);
        }
        opened = true;
    }

    @Override
    public synchronized void rewrite(UnaryOperator<List<Entry>> kept) {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        StringBuilder text = new StringBuilder();
        kept.apply(read()).forEach(entry -> text.append(EntryLine.of(entry)).append('\n'));
        try {
            Files.deleteIfExists(next);
            OwnerOnly.create(next);
            Files.writeString(next, text);
            Files.move(
                    next,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
            opened = true;
            broken = false;
        } catch (IOException e) {
            say(e);
        }
    }

    private void say(Exception e) {
        if (!broken) {
            LOG.atWarn()
                    .addKeyValue("file", file)
                    .addKeyValue("reason", e.toString())
                    .log("the node's journal cannot be used, so the next agent knows less");
        }
        broken = true;
    }
}
