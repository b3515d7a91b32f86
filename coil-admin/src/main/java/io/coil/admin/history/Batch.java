package io.coil.admin.history;

import java.util.ArrayList;
import java.util.List;

/** Writes changes in their order, those of one kind that follow each other in one go. */
final class Batch {
    private Batch() {}

    /** In one transaction of the caller's. */
    static void write(Tables tables, Pending.Work work) {
        if (!work.entries().isEmpty()) {
            tables.audits().insert(work.entries());
        }
        List<Change> alike = new ArrayList<>();
        for (Change change : work.changes()) {
            if (!alike.isEmpty() && alike.getFirst().getClass() != change.getClass()) {
                writeAlike(tables, alike);
                alike.clear();
            }
            alike.add(change);
        }
        if (!alike.isEmpty()) {
            writeAlike(tables, alike);
        }
        if (!work.uses().isEmpty()) {
            tables.uses().write(work.uses());
        }
    }

    private static void writeAlike(Tables tables, List<Change> changes) {
        switch (changes.getFirst()) {
            case Change.Began b -> tables.holdings().begin(all(changes, Change.Began.class));
            case Change.Ended e -> tables.holdings().end(all(changes, Change.Ended.class));
            case Change.Granted g -> {
                List<Change.Granted> granted = all(changes, Change.Granted.class);
                tables.blocks().insert(granted);
                tables.blocks().there(granted.stream().map(c -> c.block().uid()).toList());
            }
            case Change.Gone g -> {
                List<Change.Gone> gone = all(changes, Change.Gone.class);
                tables.blocks()
                        .insert(
                                gone.stream()
                                        .map(c -> new Change.Granted(c.last(), c.after()))
                                        .toList());
                tables.blocks().gone(gone.stream().map(Batch::end).toList());
            }
            case Change.Finished f ->
                    all(changes, Change.Finished.class).forEach(c -> tables.runs().insert(c.run()));
            case Change.Observed o -> tables.audits().observe(all(changes, Change.Observed.class));
        }
    }

    private static Blocks.End end(Change.Gone gone) {
        return new Blocks.End(
                gone.last().uid(), gone.last().state().label(), gone.after(), gone.at());
    }

    private static <T extends Change> List<T> all(List<Change> changes, Class<T> type) {
        return changes.stream().map(type::cast).toList();
    }
}
