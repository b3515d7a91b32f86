package io.coil.sandbox;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** What the user sees while the sandbox starts and when it is ready. */
public final class Console {
    private final PrintWriter out;
    private final long begun = System.nanoTime();

    public Console(PrintWriter out) {
        this.out = out;
    }

    /** A step, with the time since the beginning. */
    void step(String text) {
        say("%5.1f s  %s".formatted(seconds(), text));
    }

    void say(String text) {
        out.println(text);
        out.flush();
    }

    String elapsed() {
        return String.format(Locale.ROOT, "%.1f s", seconds());
    }

    private double seconds() {
        return Duration.ofNanos(System.nanoTime() - begun).toMillis() / 1000.0;
    }
}
