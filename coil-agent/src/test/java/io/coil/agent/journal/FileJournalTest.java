package io.coil.agent.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.core.holdings.Assignment;
import io.coil.core.holdings.ContainerKey;
import io.coil.core.holdings.PodRef;
import io.coil.core.net.Address;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

class FileJournalTest {
    @TempDir private Path directory;
    private Path file;

    @BeforeEach
    void place() {
        file = directory.resolve("run").resolve("addresses");
    }

    private static Entry entry(int number) {
        Assignment what =
                new Assignment(
                        new ContainerKey("c" + number, "eth0"),
                        number % 3 == 0 ? null : new PodRef("shop", "cart-" + number),
                        "default",
                        "default-0",
                        number,
                        List.of(
                                Address.parse("10.1.0." + number),
                                Address.parse("fd06::" + number)),
                        0,
                        true);
        Instant at = Instant.ofEpochMilli(1_700_000_000_000L + number);
        return number % 2 == 0 ? Entry.given(at, what) : Entry.freed(at, what);
    }

    private static List<Entry> entries(int count) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(entry(i));
        }
        return entries;
    }

    private FileJournal written(int count) {
        FileJournal journal = new FileJournal(file);
        entries(count).forEach(journal::append);
        return journal;
    }

    @Test
    void theNextAgentReadsWhatTheLastOneWrote() {
        written(6);
        assertThat(new FileJournal(file).read()).isEqualTo(entries(6));
    }

    @Test
    void aFileThatIsNotThereIsAnEmptyJournal() {
        assertThat(new FileJournal(file).read()).isEmpty();
    }

    /** Wherever it was torn, what stands before is read, and what comes next is whole. */
    @Test
    void aTornTailCostsItsOwnLineOnly() throws IOException {
        written(3);
        byte[] whole = Files.readAllBytes(file);
        int lastLine =
                new String(whole, 0, whole.length - 1, StandardCharsets.UTF_8).lastIndexOf('\n')
                        + 1;
        for (int length = lastLine; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            FileJournal next = new FileJournal(file);
            List<Entry> before = next.read();
            assertThat(before)
                    .as("cut at %d of %d", length, whole.length)
                    // Without its line's end the last one is still whole.
                    .isEqualTo(entries(length == whole.length - 1 ? 3 : 2));

            next.append(entry(7));

            List<Entry> after = new ArrayList<>(before);
            after.add(entry(7));
            assertThat(new FileJournal(file).read()).isEqualTo(after);
        }
    }

    @Test
    void aDamagedLineIsLeftOut() throws IOException {
        written(3);
        String text = Files.readString(file);
        Files.writeString(file, text.replace("10.1.0.1", "10.1.0.9"));
        assertThat(new FileJournal(file).read()).containsExactly(entry(0), entry(2));

        Files.writeString(file, "\0\0\0\0\u00e9\tnothing\n", StandardOpenOption.APPEND);
        assertThat(new FileJournal(file).read()).containsExactly(entry(0), entry(2));
    }

    @Test
    void whatIsRewrittenReplacesTheRest() {
        FileJournal journal = written(6);
        journal.rewrite(all -> all.subList(4, 6));
        journal.append(entry(8));
        assertThat(new FileJournal(file).read()).containsExactly(entry(4), entry(5), entry(8));
        assertThat(directory.resolve("run")).isDirectoryContaining(p -> p.equals(file));
    }

    /** It names pods. */
    @Test
    void onlyItsOwnerReadsIt() throws IOException {
        FileJournal journal = written(1);
        assertThat(Files.getPosixFilePermissions(file))
                .containsExactlyInAnyOrder(
                        PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        journal.rewrite(all -> all);
        assertThat(Files.getPosixFilePermissions(file))
                .containsExactlyInAnyOrder(
                        PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    }

    /** Nothing that depends on it may fail for its sake. */
    @Test
    void aPlaceThatCannotBeWrittenIsLikeALostJournal() throws IOException {
        Files.writeString(directory.resolve("run"), "a file where a directory should be");
        FileJournal journal = new FileJournal(file);
        journal.append(entry(1));
        journal.rewrite(all -> all);
        assertThat(journal.read()).isEmpty();
    }
}
