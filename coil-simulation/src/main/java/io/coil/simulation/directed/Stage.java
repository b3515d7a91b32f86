package io.coil.simulation.directed;

import io.coil.kubernetes.api.KubeApi;
import io.coil.simulation.api.Call;
import io.coil.simulation.check.Facts;
import io.coil.simulation.check.Violation;
import io.coil.simulation.fault.Act;
import io.coil.simulation.fault.Decision.Deed;
import io.coil.simulation.fault.Decision.Kind;
import io.coil.simulation.fault.Decision.Mishap;
import io.coil.simulation.kernel.Machine;
import io.coil.simulation.schedule.Actor;
import io.coil.simulation.world.End;
import io.coil.simulation.world.Luck;
import io.coil.simulation.world.Timing;
import io.coil.simulation.world.World;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * A world for a written schedule: nothing befalls anybody but what the play says. Processes are
 * {@code n1-agent}, {@code controller-a}; nodes {@code n1}, {@code n2}; pools {@code default}
 * (sixteen addresses) and {@code other} (eight); a pod whose name begins with {@code other} is of
 * the pool {@code other}.
 *
 * <p>Every step is judged; {@link #violation} says what was found. A method that waits throws
 * {@link AssertionError} with the end of the trace if what it waits for does not come.
 */
public final class Stage implements AutoCloseable {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int TAIL = 60;

    private record Arranged(String process, Predicate<Call> which, Kind kind, Duration span) {}

    private final World world;
    private final List<Hold> holds = new ArrayList<>();
    private final List<Arranged> arranged = new ArrayList<>();

    /** The seed decides who is first among those of one moment, and how long calls take. */
    public Stage(long seed) {
        world = new World(seed, Timing.USUAL, true);
        world.ground().luck().end();
        world.ground()
                .luck()
                .gate(
                        new Luck.Gate() {
                            @Override
                            public void before(Actor actor, Call call) {
                                List.copyOf(holds).forEach(h -> h.before(actor, call));
                            }

                            @Override
                            public @Nullable Mishap mishap(Call call) {
                                return take(call);
                            }
                        });
        world.ground()
                .gate((actor, what) -> List.copyOf(holds).forEach(h -> h.before(actor, what)));
    }

    private @Nullable Mishap take(Call call) {
        for (Arranged each : arranged) {
            if (each.process().equals(call.process()) && each.which().test(call)) {
                arranged.remove(each);
                return new Mishap(call.process(), call.number(), each.kind(), each.span());
            }
        }
        return null;
    }

    // What is there.

    /** Makes the pool; a block has 2^bits addresses. */
    public Stage pool(String name, int bits) {
        return perform(Act.POOL, name, bits);
    }

    /** Node, kubelet and agent; begins again after {@link #dies} as a new machine. */
    public Stage node(String name) {
        return perform(Act.NODE, name, 0);
    }

    public Stage controller(String name) {
        return perform(Act.CONTROLLER, name, 0);
    }

    /** A pod on that node, from now on until it is deleted. */
    public Stage pod(String name, String node) {
        return perform(Act.POD, name, Long.parseLong(node.substring(1)));
    }

    public Stage deletePod(String name) {
        return perform(Act.DELETE_POD, name, 0);
    }

    /** The machine is gone, and its Node too, until {@link #node}. */
    public Stage dies(String node) {
        return perform(Act.MACHINE_DIES, node, 0);
    }

    /** Whatever the world can do, now. */
    public Stage perform(Act act, String target, long number) {
        world.perform(new Deed(world.ground().scheduler().nanos(), act, target, number));
        return this;
    }

    // Who goes on.

    /** Stops that process before its next call that fits, the call not yet sent. */
    public Hold holdBefore(String process, Predicate<Call> which) {
        return hold(new Hold(process, step -> step instanceof Call call && which.test(call)));
    }

    /** The same for what an agent does to its kernel, as in {@code exports 10.1.0.0/31}. */
    public Hold holdKernel(String process, Predicate<String> which) {
        return hold(new Hold(process, step -> step instanceof String what && which.test(what)));
    }

    private Hold hold(Hold hold) {
        holds.add(hold);
        return hold;
    }

    /** Something happens to that process's next call that fits. */
    public Stage befall(String process, Predicate<Call> which, Kind kind, Duration span) {
        arranged.add(new Arranged(process, which, kind, span));
        return this;
    }

    /** The next call that fits takes effect, and its caller hears nothing. */
    public Stage loseReply(String process, Predicate<Call> which) {
        return befall(process, which, Kind.REPLY_LOST, Duration.ZERO);
    }

    /** The process dies before its next call that fits takes effect. */
    public Stage killAt(String process, Predicate<Call> which) {
        return befall(process, which, Kind.DEATH, Duration.ZERO);
    }

    /** The process dies after its next call that fits took effect, without hearing so. */
    public Stage killAfter(String process, Predicate<Call> which) {
        return befall(process, which, Kind.DEATH_AFTER, Duration.ZERO);
    }

    /** Dies now, and begins again after that time. */
    public Stage kill(String process, Duration again) {
        return perform(Act.KILL, process, again.toMillis());
    }

    /** Its watches show nothing new for so long. */
    public Stage blind(String process, Duration time) {
        return perform(Act.LAG, process, time.toMillis());
    }

    /** None of its calls is answered for so long. */
    public Stage cutOff(String process, Duration time) {
        return perform(Act.PARTITION, process, time.toMillis());
    }

    public Stage freeze(String process, Duration time) {
        return perform(Act.FREEZE, process, time.toMillis());
    }

    // How far.

    /** Lets everybody go on until that is so. */
    public Stage runUntil(String what, BooleanSupplier condition) {
        long end = world.ground().scheduler().nanos() + LONG.toNanos();
        while (!condition.getAsBoolean()) {
            if (violation() != null) {
                throw new AssertionError(violation() + tail());
            }
            if (!world.step(end)) {
                throw new AssertionError("never comes: " + what + tail());
            }
        }
        return this;
    }

    /** Lets everybody go on until the task stands where it is to be held. */
    public Stage runUntil(Hold hold) {
        return runUntil("the hold", hold::reached);
    }

    public Stage run(Duration time) {
        world.runUntil(now().plus(time));
        return this;
    }

    /** Everything is let go and healed, and nothing may be left in the end. */
    public Stage settle() {
        arranged.clear();
        holds.forEach(Hold::release);
        new End(world).come();
        return this;
    }

    // What one sees.

    public Duration now() {
        return Duration.ofNanos(world.ground().scheduler().nanos());
    }

    /** What is stored, at this step. */
    public Facts facts() {
        return world.ground().facts();
    }

    /** What people would do and see with kubectl; every call is one step. */
    public KubeApi api() {
        return world.directApi("user");
    }

    /** The machine of that node. */
    public Machine machine(String node) {
        return Objects.requireNonNull(world.machine(node), "no node " + node);
    }

    /** Whether a container of that pod runs, with an address. */
    public boolean runs(String pod) {
        return world.machines().stream()
                .flatMap(m -> m.live().stream())
                .anyMatch(c -> c.pod().equals(pod));
    }

    /** Whether a life of that process goes on. */
    public boolean alive(String process) {
        return world.life(process) != null;
    }

    /** What was found, or null. */
    public @Nullable Violation violation() {
        return world.ground().findings().first();
    }

    public List<String> trace() {
        return world.ground().trace().lines();
    }

    private String tail() {
        List<String> lines = trace();
        return "\n"
                + String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
    }

    @Override
    public void close() {
        world.close();
    }
}
