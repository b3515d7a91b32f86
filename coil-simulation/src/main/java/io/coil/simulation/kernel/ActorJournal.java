package io.coil.simulation.kernel;

import io.coil.agent.journal.Entry;
import io.coil.agent.journal.Journal;
import io.coil.simulation.schedule.Actor;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The machine's memory as one life of an agent has it: once dead it writes no more, and on a full
 * disk nothing is written, as nothing is with the journal in a file.
 */
record ActorJournal(Actor actor, Machine machine) implements Journal {
    @Override
    public List<Entry> read() {
        actor.alive();
        return machine.journal().read();
    }

    @Override
    public void append(Entry entry) {
        actor.alive();
        if (!machine.journalFull()) {
            machine.journal().append(entry);
        }
    }

    @Override
    public void rewrite(UnaryOperator<List<Entry>> kept) {
        actor.alive();
        if (machine.journalFull()) {
            List<Entry> _ = kept.apply(read());
        } else {
            machine.journal().rewrite(kept);
        }
    }
}
