package io.coil.simulation.world;

import io.coil.simulation.api.Call;
import io.coil.simulation.api.Line;
import io.coil.simulation.fault.Decision.Mishap;
import io.coil.simulation.schedule.Actor;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** What befalls the calls of processes: as it was decided beforehand, or as somebody arranges. */
public final class Luck implements Line.Fate {

    /** Sees every call before it is sent. */
    public interface Gate {
        /** May hold the caller. */
        void before(Actor actor, Call call);

        /** Something to happen to it, or null. */
        @Nullable Mishap mishap(Call call);
    }

    private final Map<String, Map<Integer, Mishap>> decided = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private final Map<String, Long> partitioned = new HashMap<>();
    private final Map<String, Long> blind = new HashMap<>();
    private final Map<String, Integer> struck = new TreeMap<>();
    private final List<Gate> gates = new ArrayList<>();
    private final Consumer<Actor> killer;
    private boolean over;

    Luck(Consumer<Actor> killer) {
        this.killer = killer;
    }

    void decide(Mishap mishap) {
        decided.computeIfAbsent(mishap.calls(), p -> new HashMap<>()).put(mishap.call(), mishap);
    }

    public void gate(Gate gate) {
        gates.add(gate);
    }

    /** Nothing happens any more. */
    public void end() {
        over = true;
        partitioned.clear();
        blind.clear();
    }

    void partition(String process, long untilNanos) {
        partitioned.merge(process, untilNanos, Math::max);
        blind.merge(process, untilNanos, Math::max);
    }

    void blind(String process, long untilNanos) {
        blind.merge(process, untilNanos, Math::max);
    }

    /** How often each kind of thing has happened. */
    public Map<String, Integer> struck() {
        return struck;
    }

    void count(String what) {
        struck.merge(what, 1, Integer::sum);
    }

    @Override
    public Call about(Actor actor, Call call) {
        int number = counts.merge(line(call), 1, Integer::sum);
        Call counted =
                new Call(
                        call.process(),
                        number,
                        call.verb(),
                        call.kind(),
                        call.object(),
                        call.must());
        gates.forEach(g -> g.before(actor, counted));
        return counted;
    }

    /** Calls are counted by what they do: some are many, and much hangs on the few. */
    private static String line(Call call) {
        return call.process() + " " + call.verb() + " " + call.kind().plural();
    }

    @Override
    public boolean calm() {
        return over;
    }

    @Override
    public @Nullable Mishap mishap(Call call) {
        for (Gate gate : gates) {
            Mishap arranged = gate.mishap(call);
            if (arranged != null) {
                return arranged;
            }
        }
        Mishap found = over ? null : decided.getOrDefault(line(call), Map.of()).get(call.number());
        if (found != null) {
            count(found.kind().text());
        }
        return found;
    }

    @Override
    public void kill(Actor actor) {
        killer.accept(actor);
    }

    @Override
    public long partitionedUntil(String process) {
        return partitioned.getOrDefault(process, 0L);
    }

    @Override
    public long blindUntil(String process) {
        return blind.getOrDefault(process, 0L);
    }
}
