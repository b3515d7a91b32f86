package io.coil.simulation.trace;

import io.coil.kubernetes.api.Kind;
import io.coil.simulation.api.Call;
import io.coil.simulation.api.DirectApi;
import io.coil.simulation.check.Facts;
import io.coil.simulation.check.Violation;
import io.coil.simulation.fault.Act;
import io.coil.simulation.fault.Decision.Deed;
import io.coil.simulation.fault.Decision.Mishap;
import io.coil.simulation.schedule.Actor;
import io.coil.simulation.world.End;
import io.coil.simulation.world.Luck;
import io.coil.simulation.world.Timing;
import io.coil.simulation.world.World;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Where a schedule is played: a world without chance, whose calls can be held, lost and delayed.
 */
final class Stage implements AutoCloseable, Luck.Gate {
    private final World world;
    private final List<Rule> rules = new ArrayList<>();

    Stage(long seed) {
        world = new World(seed, Timing.USUAL, true);
        world.ground().luck().gate(this);
    }

    /** What befalls the calls of a process that fit. */
    static final class Rule {
        private final String process;
        private final Predicate<Call> which;
        private final @Nullable Mishap mishap;
        private Actor.@Nullable Nap held;
        private int left;
        private int struck;

        Rule(String process, Predicate<Call> which, int times, @Nullable Mishap mishap) {
            this.process = process;
            this.which = which;
            this.left = times;
            this.mishap = mishap;
        }

        private boolean takes(Call call) {
            if (left == 0 || !call.process().equals(process) || !which.test(call)) {
                return false;
            }
            left--;
            struck++;
            return true;
        }

        /** How many calls it has befallen. */
        int struck() {
            return struck;
        }

        /** Whether a call is being held. */
        boolean holds() {
            return held != null;
        }

        /** Lets the call that is held go on. */
        void release() {
            Actor.Nap nap = held;
            held = null;
            if (nap != null) {
                nap.wake();
            }
        }

        /** It befalls nothing more. */
        void end() {
            left = 0;
        }
    }

    static Predicate<Call> call(Call.Verb verb, Kind<?> kind) {
        return call -> call.is(verb, kind);
    }

    static Predicate<Call> call(Call.Verb verb, Kind<?> kind, String object) {
        return call -> call.is(verb, kind) && call.object().equals(object);
    }

    /** The next such call is held before it is sent. */
    Rule hold(String process, Predicate<Call> which) {
        return rule(process, which, 1, null);
    }

    /** So many of such calls come to that. */
    Rule mishap(
            String process,
            Predicate<Call> which,
            int times,
            io.coil.simulation.fault.Decision.Kind kind,
            Duration span) {
        return rule(process, which, times, new Mishap(process, 0, kind, span));
    }

    private Rule rule(String process, Predicate<Call> which, int times, @Nullable Mishap mishap) {
        Rule rule = new Rule(process, which, times, mishap);
        rules.add(rule);
        return rule;
    }

    @Override
    public void before(Actor actor, Call call) {
        for (Rule rule : List.copyOf(rules)) {
            if (rule.mishap == null && rule.takes(call)) {
                world.ground().trace().add("stage", () -> "holds " + call);
                Actor.Nap nap = actor.nap();
                rule.held = nap;
                while (rule.held == nap) {
                    nap.untilWoken();
                }
            }
        }
    }

    @Override
    public @Nullable Mishap mishap(Call call) {
        for (Rule rule : List.copyOf(rules)) {
            if (rule.mishap != null && rule.takes(call)) {
                return rule.mishap;
            }
        }
        return null;
    }

    /** The world does something, now. */
    void does(Act act, String target, long number) {
        world.perform(new Deed(0, act, target, number));
    }

    /** Goes on until that is so; false if it is not so in time, or if something was violated. */
    boolean until(BooleanSupplier done, Duration most) {
        return world.runUntil(done, most);
    }

    boolean until(BooleanSupplier done) {
        return until(done, Duration.ofSeconds(60));
    }

    void pass(Duration time) {
        until(() -> false, time);
    }

    void pass(int seconds) {
        pass(Duration.ofSeconds(seconds));
    }

    /** Two machines, a controller, and a pool of 16 addresses in blocks of 2^bits. */
    void begin(int bits) {
        does(Act.NODE, "n1", 0);
        does(Act.NODE, "n2", 0);
        does(Act.CONTROLLER, "controller-a", 0);
        pass(5);
        does(Act.POOL, "default", bits);
        pass(5);
    }

    void pod(String name, int node) {
        does(Act.POD, name, node);
    }

    /** A pod that runs. */
    boolean podRuns(String name, int node) {
        pod(name, node);
        return until(() -> runs(name));
    }

    boolean runs(String pod) {
        return world.container(pod) != null;
    }

    /** A pod, and its address, are gone. */
    boolean podGone(String name) {
        does(Act.DELETE_POD, name, 0);
        return until(() -> !world.hasPod(name));
    }

    Facts facts() {
        return world.ground().facts();
    }

    boolean block(String name) {
        return facts().blocks().stream().anyMatch(b -> b.name().equals(name));
    }

    boolean anyRequest() {
        return !facts().requests().isEmpty();
    }

    /** Somebody with every right. */
    DirectApi user() {
        return world.directApi("user");
    }

    /** What the schedule itself judges. */
    void judge(boolean well, int invariant, String what) {
        if (!well) {
            world.ground().findings().violated(invariant, what);
        }
    }

    /** Everything heals; what must be so after quiet is so, or is found. */
    void end() {
        rules.forEach(
                rule -> {
                    rule.end();
                    rule.release();
                });
        new End(world).come();
    }

    /** What was violated first; empty if nothing was. */
    String verdict() {
        Violation first = world.ground().findings().first();
        return first == null ? "" : first.toString();
    }

    List<String> trace() {
        return world.ground().trace().lines();
    }

    @Override
    public void close() {
        world.close();
    }
}
