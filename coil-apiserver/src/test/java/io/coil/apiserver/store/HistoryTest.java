package io.coil.apiserver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.resource.TypeKey;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

class HistoryTest {
    private static final TypeKey TYPE = new TypeKey("example.io", "widgets");
    private static final int CAPACITY = 20;

    /**
     * For any writes: the list of any version that is remembered is what was there then, and that
     * list with the changes after it is what is there now.
     */
    @Property(tries = 300)
    void listAndWatchTellTheSameStory(
            @ForAll @Size(max = 80) List<@IntRange(min = 0, max = 11) Integer> writes)
            throws Exception {
        ObjectStore store = new ObjectStore(Journal.NONE, CAPACITY);
        Map<Long, Map<String, Long>> truth = new TreeMap<>();
        truth.put(store.version(), Map.of());
        for (int write : writes) {
            write(store, write);
            truth.put(store.version(), state(store.snapshot(TYPE, null)));
        }
        Map<String, Long> now = state(store.snapshot(TYPE, null));
        List<Long> versions = new ArrayList<>(truth.keySet());
        for (long version :
                versions.subList(Math.max(0, versions.size() - CAPACITY), versions.size())) {
            Map<String, Long> then = state(store.snapshotAt(TYPE, null, version));
            assertThat(then).isEqualTo(truth.get(version));
            for (Change change :
                    store.feed(TYPE, version, Interest.EVERYTHING).take(Duration.ZERO).changes()) {
                if (change.deleted()) {
                    then.remove(change.after().name());
                } else {
                    then.put(change.after().name(), change.after().version());
                }
            }
            assertThat(then).isEqualTo(now);
        }
    }

    @Test
    void whatWasDroppedIsExpiredAndWhatWasNotIsThere() throws Exception {
        ObjectStore store = new ObjectStore(Journal.NONE, CAPACITY);
        long start = store.version();
        for (int i = 0; i < CAPACITY; i++) {
            write(store, 0);
        }
        assertThat(store.feed(TYPE, start, Interest.EVERYTHING).take(Duration.ZERO).changes())
                .hasSize(CAPACITY);

        write(store, 0);

        assertThatThrownBy(() -> store.feed(TYPE, start, Interest.EVERYTHING))
                .isInstanceOf(ExpiredException.class);
        assertThat(store.feed(TYPE, start + 1, Interest.EVERYTHING).take(Duration.ZERO).changes())
                .hasSize(CAPACITY);
    }

    @Test
    void aTypeThatNobodyEverWroteHasAHistoryToo() throws Exception {
        ObjectStore store = new ObjectStore(Journal.NONE, CAPACITY);
        long start = store.version();
        write(store, 0);

        assertThat(
                        store.feed(new TypeKey("", "pods"), start, Interest.EVERYTHING)
                                .take(Duration.ZERO)
                                .changes())
                .isEmpty();
    }

    @Test
    void aWriteFromAnOldStateDoesNothing() {
        ObjectStore store = new ObjectStore(Journal.NONE, CAPACITY);
        write(store, 0);
        StoredObject old = store.get(TYPE, ObjectKey.of(null, "w0"));
        assertThat(old).isNotNull();
        write(store, 0);
        long version = store.version();

        assertThat(store.put(TYPE, old.key(), old, old.copy(), ObjectStore.Guard.NONE)).isNull();
        assertThat(store.put(TYPE, old.key(), null, old.copy(), ObjectStore.Guard.NONE)).isNull();
        assertThat(store.remove(old, old.copy())).isNull();
        assertThat(store.version()).isEqualTo(version);
    }

    @Test
    void aWriteThatCannotBeKeptDidNotHappen() {
        ObjectStore store =
                new ObjectStore(
                        new Journal() {
                            @Override
                            public void append(Change change) {
                                throw new IllegalStateException("disk full");
                            }

                            @Override
                            public void settle(long version) {}
                        },
                        CAPACITY);
        long version = store.version();

        assertThatThrownBy(() -> write(store, 0)).hasMessage("disk full");

        assertThat(store.version()).isEqualTo(version);
        assertThat(store.snapshot(TYPE, null).objects()).isEmpty();
    }

    /** 0 to 7: puts w0 to w3, one by two; 8 to 11: removes w0 to w3. */
    private static void write(ObjectStore store, int write) {
        ObjectKey key = ObjectKey.of(null, "w" + write % 4);
        @Nullable StoredObject current = store.get(TYPE, key);
        if (write < 8) {
            ObjectNode tree = current == null ? Json.object() : current.copy();
            store.put(TYPE, key, current, tree, ObjectStore.Guard.NONE);
        } else if (current != null) {
            store.remove(current, current.copy());
        }
    }

    private static Map<String, Long> state(Snapshot snapshot) {
        Map<String, Long> state = new TreeMap<>();
        snapshot.objects().forEach(o -> state.put(o.name(), o.version()));
        return state;
    }
}
