package io.coil.simulation.api;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.simulation.api.Call.Verb;
import io.coil.simulation.check.Trace;
import io.coil.simulation.fault.Decision.Mishap;
import io.coil.simulation.schedule.Actor;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * What lies between one life of a process and the server: takes time, loses, repeats nothing, and
 * kills on demand.
 */
public final class Line {
    /** After so long without an answer a client gives up. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** However slow a process is, its usual calls take no longer. */
    private static final Duration SLOWEST = Duration.ofSeconds(4);

    private static final Duration SOON = Duration.ofNanos(1);

    /** What befalls calls, and who wants to see them first. */
    public interface Fate {
        /** Counts the call; may hold the caller until somebody lets it go on. */
        Call about(Actor actor, Call call);

        @Nullable Mishap mishap(Call call);

        /** The process of that life is to die, at once. */
        void kill(Actor actor);

        /** Whether nothing befalls anybody any more. */
        boolean calm();

        /** In virtual nanoseconds: nothing passes before; 0 if it passes. */
        long partitionedUntil(String process);

        /** The same, for what watches show. */
        long blindUntil(String process);
    }

    private final Actor actor;
    private final Fate fate;
    private final Trace trace;

    /** Some lives are slow altogether: what others do falls between their steps. */
    private final int slowness;

    public Line(Actor actor, Fate fate, Trace trace) {
        this.actor = actor;
        this.fate = fate;
        this.trace = trace;
        int lot = actor.random().nextInt(20);
        this.slowness = lot < 13 ? 1 : lot < 17 ? 20 : 200;
    }

    Actor actor() {
        return actor;
    }

    Trace trace() {
        return trace;
    }

    Fate fate() {
        return fate;
    }

    /** The outcome of {@code effect}, which takes place within one step, or a failure. */
    <R> R call(Call asked, Supplier<R> effect) {
        if (actor.takeInterrupt()) {
            throw interrupted(asked);
        }
        Call call = fate.about(actor, asked);
        if (fate.partitionedUntil(actor.name()) > actor.scheduler().nanos()) {
            throw cutOff(call);
        }
        Mishap mishap = fate.mishap(call);
        return mishap == null ? usual(call, effect) : with(mishap, call, effect);
    }

    private <R> R usual(Call call, Supplier<R> effect) {
        if (actor.pass(latency())) {
            if (call.verb().writes() && actor.random().nextBoolean()) {
                effectLater(call, SOON, effect);
            }
            throw interrupted(call);
        }
        return effect(call, effect, "");
    }

    private ApiFailure cutOff(Call call) {
        trace.add(actor.name(), () -> call + " -> cut off");
        giveUpAfter(PATIENCE, call);
        return Refusals.noAnswer(call);
    }

    private <R> R with(Mishap mishap, Call call, Supplier<R> effect) {
        Duration span = mishap.span();
        return switch (mishap.kind()) {
            case LOST -> throw cutOff(call);
            case REPLY_LOST -> {
                giveUpAfter(latency(), call);
                quietly(call, effect, "reply lost, ");
                giveUpAfter(PATIENCE, call);
                throw Refusals.noAnswer(call);
            }
            case LATE -> {
                if (call.verb().writes()) {
                    effectLater(call, PATIENCE.plus(span), effect);
                }
                throw cutOff(call);
            }
            case SLOW -> {
                giveUpAfter(shorter(span), call);
                yield effect(call, effect, "slow, ");
            }
            case REPLY_SLOW -> {
                giveUpAfter(latency(), call);
                R reply = effect(call, effect, "slow reply, ");
                giveUpAfter(shorter(span), call);
                yield reply;
            }
            case BROKEN -> throw refuse(call, Refusals.broken(call));
            case BUSY -> throw refuse(call, Refusals.busy(call, shorter(span)));
            case CONFLICT -> {
                if (mayConflict(call.verb())) {
                    throw refuse(call, Refusals.conflict(call));
                }
                yield usual(call, effect);
            }
            case DEATH -> {
                trace.add(actor.name(), () -> call + " -> dies before");
                throw die();
            }
            case DEATH_AFTER -> {
                giveUpAfter(latency(), call);
                quietly(call, effect, "dies after, ");
                throw die();
            }
        };
    }

    private IllegalStateException die() {
        fate.kill(actor);
        actor.nap().untilWoken();
        return new IllegalStateException("a dead process goes on");
    }

    private static boolean mayConflict(Verb verb) {
        return verb.writes() && verb != Verb.CREATE;
    }

    private ApiFailure refuse(Call call, ApiFailure failure) {
        giveUpAfter(latency(), call);
        trace.add(actor.name(), () -> call + " -> " + Refusals.word(failure) + " (injected)");
        return failure;
    }

    private static Duration shorter(Duration span) {
        return span.compareTo(PATIENCE) < 0 ? span : PATIENCE.minusMillis(1);
    }

    /** That long; who is asked to end meanwhile hears of it as of a broken connection. */
    private void giveUpAfter(Duration span, Call call) {
        if (actor.pass(span)) {
            throw interrupted(call);
        }
    }

    private static ApiFailure interrupted(Call call) {
        Thread.currentThread().interrupt();
        return Refusals.interrupted(call);
    }

    /**
     * A write that is still under way when its caller has given it up, and even when it is dead.
     */
    private <R> void effectLater(Call call, Duration after, Supplier<R> effect) {
        actor.scheduler().after(after, () -> quietly(call, effect, "late, "));
    }

    private <R> void quietly(Call call, Supplier<R> effect, String how) {
        try {
            effect(call, effect, how);
        } catch (ApiFailure nobodyHears) {
            // It is in the trace.
        }
    }

    private <R> R effect(Call call, Supplier<R> effect, String how) {
        try {
            R reply = effect.get();
            trace.add(actor.name(), () -> call + " -> " + how + Outcomes.of(reply));
            return reply;
        } catch (ApiFailure failure) {
            trace.add(actor.name(), () -> call + " -> " + how + Refusals.word(failure));
            throw failure;
        }
    }

    /** Mostly short, now and then not. */
    private Duration latency() {
        double lot = actor.random().nextDouble();
        long most = lot < 0.8 ? 5_000_000 : lot < 0.97 ? 60_000_000 : 1_500_000_000;
        return slowed(100_000 + (long) (actor.random().nextDouble() * most));
    }

    private Duration slowed(long nanos) {
        long most = Math.max(nanos, SLOWEST.toNanos());
        return Duration.ofNanos(fate.calm() ? nanos : Math.min(nanos * slowness, most));
    }
}
