package io.coil.admin.history;

import io.coil.admin.snapshot.BlockView;
import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.Observed;
import io.coil.admin.snapshot.RunView;
import io.coil.admin.snapshot.Snapshot;
import io.coil.core.net.Address;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Brings the database to one look at the cluster: what is open there and not seen is closed, what
 * is seen and not open is opened. At start, and when there was too much to follow one by one.
 */
final class Comparison {
    private static final int BATCH = 1000;

    /** A pause shorter than that is no time in which nobody watched: a restart is one. */
    private static final Duration UNNOTICED = Duration.ofSeconds(30);

    private final Database database;
    private final Tables tables;
    private final Snapshot image;
    private final Instant asOf;
    private final Instant at;
    private final Instant watchedSince;

    /**
     * @param watchedSince all changes since then have been written
     */
    Comparison(Database database, Tables tables, Current look, Instant watchedSince) {
        this.watchedSince = Differences.millis(watchedSince);
        this.database = database;
        this.tables = tables;
        this.image = look.snapshot();
        this.asOf = Differences.millis(look.asOf());
        this.at = Differences.millis(image.built());
    }

    /** In many transactions: broken off, it is begun again. */
    void write() {
        Optional<Watched> watched = tables.sights().all();
        Instant before = watched.map(Watched::to).orElse(null);
        addresses(before);
        blocks(before);
        for (RunView run : image.runs().values()) {
            if (run.over()) {
                database.together(() -> tables.runs().insert(run));
            }
        }
        database.together(
                () -> {
                    if (before != null && before.plus(UNNOTICED).isBefore(watchedSince)) {
                        tables.sights().blind(before, watchedSince);
                    }
                    tables.sights().until(asOf);
                });
    }

    private void addresses(@Nullable Instant before) {
        Set<Address> unknown = new HashSet<>(image.pods().keySet());
        List<Holdings.Missed> missed = new ArrayList<>();
        tables.holdings()
                .eachOpen(
                        (text, uid) -> {
                            Address address = Address.parse(text);
                            Observed.Pod pod = image.pods().get(address);
                            if (pod != null && pod.uid().equals(uid)) {
                                unknown.remove(address);
                            } else {
                                missed.add(new Holdings.Missed(text, uid));
                            }
                        });
        Instant last = before == null ? asOf : before;
        batches(missed, some -> tables.holdings().close(some, last, at, asOf));
        List<Holding> batch = new ArrayList<>(BATCH);
        for (Address address : unknown) {
            Observed.Pod pod = image.pods().get(address);
            if (pod != null) {
                batch.add(Differences.holding(address, pod, image, before, at));
            }
            if (batch.size() == BATCH) {
                write(batch);
            }
        }
        write(batch);
    }

    private void write(List<Holding> batch) {
        if (!batch.isEmpty()) {
            database.together(() -> tables.holdings().insert(batch));
            batch.clear();
        }
    }

    private void blocks(@Nullable Instant before) {
        Map<String, BlockView> unknown = new HashMap<>();
        image.blocks().values().forEach(block -> unknown.put(block.uid(), block));
        List<Blocks.End> ends = new ArrayList<>();
        tables.blocks()
                .eachThere(
                        uid -> {
                            if (unknown.remove(uid) == null) {
                                ends.add(
                                        new Blocks.End(
                                                uid, null, before == null ? asOf : before, at));
                            }
                        });
        batches(ends, tables.blocks()::gone);
        List<BlockView> all = List.copyOf(unknown.values());
        batches(
                all,
                some -> {
                    tables.blocks()
                            .insert(some.stream().map(b -> new Change.Granted(b, at)).toList());
                    tables.blocks().there(some.stream().map(BlockView::uid).toList());
                });
    }

    private <T> void batches(List<T> all, Consumer<List<T>> write) {
        for (int i = 0; i < all.size(); i += BATCH) {
            List<T> some = all.subList(i, Math.min(all.size(), i + BATCH));
            database.together(() -> write.accept(some));
        }
    }
}
