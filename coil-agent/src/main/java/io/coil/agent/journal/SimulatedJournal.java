package io.coil.agent.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A journal in memory: it belongs to a simulated machine and outlives its agents. */
public final class SimulatedJournal implements Journal {
    private final List<Entry> entries = new ArrayList<>(); // guarded by this

    @Override
    public synchronized List<Entry> read() {
        return List.copyOf(entries);
    }

    @Override
    public synchronized void append(Entry entry) {
        entries.add(entry);
    }

    @Override
    public synchronized void rewrite(UnaryOperator<List<Entry>> kept) {
        List<Entry> next = kept.apply(read());
        entries.clear();
        entries.addAll(next);
    }

    /** Somebody has deleted the file. */
    public synchronized void lose() {
        entries.clear();
    }
}
