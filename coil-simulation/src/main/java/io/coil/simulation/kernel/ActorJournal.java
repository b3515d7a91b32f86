package io.coil.simulation.kernel;

import io.coil.agent.journal.Entry;
import io.coil.agent.journal.Journal;
import io.coil.simulation.schedule.Actor;

import java.util.List;
import java.util.function.UnaryOperator;

/** The machine's memory as one life of an agent has it: once dead it writes no more. */
record ActorJournal(Actor actor, Journal journal) implements Journal {
    @Override
    public List<Entry> read() {
        actor.alive();
        return journal.read();
    }

    @Override
    public void append(Entry entry) {
        actor.alive();
        journal.append(entry);
    }

    @Override
    public void rewrite(UnaryOperator<List<Entry>> kept) {
        actor.alive();
        journal.rewrite(kept);
    }
}
