package io.coil.bench.api;

import io.coil.kubernetes.api.KubeApi;

import java.io.PrintStream;
import java.util.Optional;

/**
 * What every benchmark of a controller does around its measuring: refuse a cluster in which another
 * one leads, say what runs, and leave nothing behind, whatever happened.
 */
public final class Frame {
    private final Target target;
    private final PrintStream out;

    public Frame(Target target, PrintStream out) {
        this.target = target;
        this.out = out;
    }

    /** The part that differs. */
    @FunctionalInterface
    public interface Measuring {
        void measure() throws InterruptedException;
    }

    /**
     * True: measured, and nothing is left.
     *
     * @param what is measured, for the first line
     */
    public boolean run(String what, Ground ground, Measuring measuring)
            throws InterruptedException {
        KubeApi api = target.client("bench");
        LeaseCheck lease = LeaseCheck.before(api);
        Optional<String> holder = lease.holder();
        if (holder.isPresent()) {
            out.println(LeaseCheck.refusal(holder.get()));
            return false;
        }
        out.printf("%s, %s; run %s%n", what, target, ground.run());
        boolean measured = false;
        try {
            ground.makePools();
            measuring.measure();
            measured = true;
        } catch (RuntimeException e) {
            out.println("Failed: " + e.getMessage());
        } catch (InterruptedException e) {
            out.println("Interrupted.");
        }
        return ground.leaveNothing(lease, out) && measured;
    }
}
