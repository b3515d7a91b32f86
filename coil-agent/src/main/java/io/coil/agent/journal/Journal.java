package io.coil.agent.journal;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The memory of a node: a small append-only log, kept by the machine and read by the next agent.
 *
 * <p>It is advice, never evidence. Lost, torn or out of date it costs the names of pods, the times
 * since when, and the reuse delay of what was freed just before; what is in use comes from the
 * kernel, and what is held from the API. So nothing here fails: what cannot be read is left out,
 * and what cannot be written is not remembered.
 */
public interface Journal {
    /** A machine that forgets. */
    Journal NONE =
            new Journal() {
                @Override
                public List<Entry> read() {
                    return List.of();
                }

                @Override
                public void append(Entry entry) {}

                @Override
                public void rewrite(UnaryOperator<List<Entry>> kept) {}
            };

    /** All that can be read, the oldest first. */
    List<Entry> read();

    void append(Entry entry);

    /**
     * Forgets everything but what {@code kept} makes of what can be read; nothing comes between.
     */
    void rewrite(UnaryOperator<List<Entry>> kept);
}
