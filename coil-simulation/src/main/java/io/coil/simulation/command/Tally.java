package io.coil.simulation.command;

import io.coil.simulation.Outcome;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** What many runs came to. */
final class Tally {
    private final Map<String, Long> happened = new TreeMap<>();
    private Duration spent = Duration.ZERO;
    private long runs;
    private long found;
    private long steps;
    private long calls;

    void add(Outcome outcome) {
        runs++;
        found += outcome.violation() == null ? 0 : 1;
        steps += outcome.steps();
        calls += outcome.calls();
        spent = spent.plus(outcome.spent());
        outcome.happened().forEach((what, times) -> happened.merge(what, (long) times, Long::sum));
    }

    /** As {@link #text} wrote it; for what other processes have counted. */
    void add(String text) {
        for (String pair : text.split(";", -1)) {
            int equals = pair.lastIndexOf('=');
            if (equals < 0) {
                continue;
            }
            long number = Long.parseLong(pair.substring(equals + 1));
            switch (pair.substring(0, equals)) {
                case "runs" -> runs += number;
                case "found" -> found += number;
                case "steps" -> steps += number;
                case "calls" -> calls += number;
                case "seconds" -> spent = spent.plusSeconds(number);
                case String what -> happened.merge(what, number, Long::sum);
            }
        }
    }

    String text() {
        StringBuilder text = new StringBuilder();
        text.append(
                "runs=%d;found=%d;steps=%d;calls=%d;seconds=%d"
                        .formatted(runs, found, steps, calls, spent.toSeconds()));
        happened.forEach((what, times) -> text.append(";%s=%d".formatted(what, times)));
        return text.toString();
    }

    long runs() {
        return runs;
    }

    long found() {
        return found;
    }

    /** In a line: how much was simulated. */
    String size() {
        return "%,d runs, %,d virtual hours, %,d steps, %,d API calls"
                .formatted(runs, spent.toHours(), steps, calls);
    }

    /** What has happened, several to a line. */
    String happened() {
        StringBuilder text = new StringBuilder();
        int column = 0;
        for (Map.Entry<String, Long> entry : happened.entrySet()) {
            text.append(column++ % 5 == 0 ? "\n  " : "  ")
                    .append("%-21s %,7d".formatted(entry.getKey(), entry.getValue()));
        }
        return text.toString();
    }
}
