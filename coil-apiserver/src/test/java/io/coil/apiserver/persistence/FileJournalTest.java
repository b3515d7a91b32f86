package io.coil.apiserver.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.apiserver.lifecycle.ApiStatusException;
import io.coil.apiserver.lifecycle.Operations;
import io.coil.apiserver.lifecycle.TestServer;
import io.coil.apiserver.storage.Storage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.SplittableRandom;

class FileJournalTest {
    @TempDir private Path directory;

    @Test
    void aRestartFindsEverythingAgain() {
        TestServer before = new TestServer(this::open);
        ObjectNode kept = before.widget("kept");
        before.widget("gone");
        before.operations.delete(before.widgets(), null, "gone", before.delete());
        long version = before.storage.store().version();
        before.storage.close();

        try (Storage after = open(before)) {
            var type = after.registry().find("example.io", "v1", "widgets").orElseThrow();
            Operations.Page page = after.operations().list(type, null, TestServer.all());

            assertThat(page.items()).containsExactly(kept);
            assertThat(after.store().version()).isEqualTo(version);
            assertThatThrownBy(() -> after.operations().watch(type, null, TestServer.since("3")))
                    .isInstanceOfSatisfying(
                            ApiStatusException.class, e -> assertThat(e.code()).isEqualTo(410));
        }
    }

    @Test
    void whatWasAnsweredIsInTheFileAlthoughNobodyClosedIt() throws IOException {
        TestServer killed = new TestServer(this::open);
        killed.widget("a");
        Path copy = Files.createDirectory(directory.resolve("copy"));
        Files.copy(stateFile(), copy.resolve("1.state"));

        try (Storage after = Storage.inDirectory(copy, false, killed, new SplittableRandom(1))) {
            var type = after.registry().find("example.io", "v1", "widgets").orElseThrow();
            assertThat(TestServer.names(after.operations().list(type, null, TestServer.all())))
                    .containsExactly("a");
        }
        killed.storage.close();
    }

    @Test
    void aTornLastRecordIsLeftOut() throws IOException {
        TestServer before = new TestServer(this::open);
        before.widget("a");
        before.widget("b");
        before.storage.close();
        byte[] all = Files.readAllBytes(stateFile());
        Files.write(stateFile(), java.util.Arrays.copyOf(all, all.length - 20));

        try (Storage after = open(before)) {
            var type = after.registry().find("example.io", "v1", "widgets").orElseThrow();
            assertThat(TestServer.names(after.operations().list(type, null, TestServer.all())))
                    .containsExactly("a");
        }
    }

    @Test
    void damageElsewhereStopsTheStart() throws IOException {
        TestServer before = new TestServer(this::open);
        before.widget("a");
        before.storage.close();
        byte[] all = Files.readAllBytes(stateFile());
        all[40] ^= 1;
        Files.write(stateFile(), all, StandardOpenOption.TRUNCATE_EXISTING);

        assertThatThrownBy(() -> open(before))
                .isInstanceOf(DamagedStateException.class)
                .hasMessageContaining("line 2: the checksum does not fit");
    }

    @Test
    void aSecondServerIsRefused() {
        TestServer first = new TestServer(this::open);

        assertThatThrownBy(() -> open(first))
                .isInstanceOf(StateInUseException.class)
                .hasMessage(
                        "another server uses the state directory "
                                + directory
                                + ": stop it, or choose another directory");

        first.storage.close();
        open(first).close();
    }

    @Test
    void aNewFileHoldsOnlyWhatIsThere() throws IOException {
        TestServer server = new TestServer(this::open);
        for (int i = 0; i < 50; i++) {
            server.widget("w");
            server.operations.delete(server.widgets(), null, "w", server.delete());
        }
        server.widget("last");
        server.storage.close();
        long before = Files.size(stateFile());

        open(server).close();

        assertThat(Files.size(stateFile())).isLessThan(before / 5);
        try (Storage after = open(server)) {
            var type = after.registry().find("example.io", "v1", "widgets").orElseThrow();
            assertThat(TestServer.names(after.operations().list(type, null, TestServer.all())))
                    .containsExactly("last");
        }
    }

    private Storage open(InstantSource clock) {
        return Storage.inDirectory(directory, true, clock, new SplittableRandom(7));
    }

    private Path stateFile() throws IOException {
        try (var files = Files.list(directory)) {
            return files.filter(f -> f.toString().endsWith(".state")).findFirst().orElseThrow();
        }
    }
}
