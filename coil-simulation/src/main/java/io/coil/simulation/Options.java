package io.coil.simulation;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How large and how wild a run is.
 *
 * @param nodes 1 to 20
 * @param pods made in the course of a run, 0 to 200
 * @param steps deeds of the world besides those, 0 to 2000; each brings five seconds more
 * @param faults calls in a thousand that something befalls, 0 to 500
 */
public record Options(int nodes, int pods, int steps, int faults) {
    public static final Options STANDARD = new Options(3, 12, 40, 40);

    public Options {
        require("nodes", nodes, 1, 20);
        require("pods", pods, 0, 200);
        require("steps", steps, 0, 2000);
        require("faults", faults, 0, 500);
    }

    /** A number is out of its range, or an option is not known; the message says which. */
    public static final class BadOption extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        BadOption(String message) {
            super(message);
        }
    }

    private static void require(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new BadOption(
                    "--%s: %d is not within %d to %d".formatted(name, value, least, most));
        }
    }

    /** Reads {@code nodes=3,pods=12}; what is not named is as in {@link #STANDARD}. */
    public static Options parse(String text) {
        Map<String, Integer> numbers = new LinkedHashMap<>();
        numbers.put("nodes", STANDARD.nodes());
        numbers.put("pods", STANDARD.pods());
        numbers.put("steps", STANDARD.steps());
        numbers.put("faults", STANDARD.faults());
        for (String pair : text.split("[,\\s]+", -1)) {
            if (pair.isEmpty()) {
                continue;
            }
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            if (!numbers.containsKey(name)) {
                throw new BadOption("no option is called \"" + name + "\": " + numbers.keySet());
            }
            try {
                numbers.put(name, Integer.parseInt(pair.substring(equals + 1)));
            } catch (NumberFormatException e) {
                throw new BadOption("\"" + pair + "\" is no number");
            }
        }
        return new Options(
                numbers.get("nodes"),
                numbers.get("pods"),
                numbers.get("steps"),
                numbers.get("faults"));
    }

    /** As {@link #parse} reads them. */
    public String text() {
        return "nodes=%d,pods=%d,steps=%d,faults=%d".formatted(nodes, pods, steps, faults);
    }

    /** As they are typed. */
    @Override
    public String toString() {
        return "--nodes %d --pods %d --steps %d --faults %d".formatted(nodes, pods, steps, faults);
    }
}
