package io.coil.cli;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A command line, read: {@code --name value} or {@code --name=value}, flags, and words that stand
 * alone. What is not known is refused.
 *
 * @param words what stands alone, in order
 * @param values of options by name; one that may be repeated or hold several, all of them
 * @param flags that were given
 */
record Arguments(List<String> words, Map<String, List<String>> values, Set<String> flags) {

    /**
     * @param known names of options with a value
     * @param switches names of flags
     */
    static Arguments read(List<String> arguments, Set<String> known, Set<String> switches)
            throws Failure {
        List<String> words = new ArrayList<>();
        Map<String, List<String>> values = new HashMap<>();
        Set<String> flags = new HashSet<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (!argument.startsWith("-") || argument.equals("-")) {
                words.add(argument);
                continue;
            }
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            if (switches.contains(name) && equals < 0) {
                flags.add(name);
            } else if (known.contains(name)) {
                String value =
                        equals < 0 ? next(arguments, ++i, name) : argument.substring(equals + 1);
                values.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
            } else {
                throw Failure.wrongUse("there is no option " + name);
            }
        }
        return new Arguments(words, values, flags);
    }

    private static String next(List<String> arguments, int at, String name) throws Failure {
        if (at >= arguments.size()) {
            throw Failure.wrongUse(name + " needs a value");
        }
        return arguments.get(at);
    }

    boolean has(String flag) {
        return flags.contains(flag);
    }

    /** The last one given; null if none was. */
    @Nullable String value(String name) {
        List<String> all = values.get(name);
        return all == null ? null : all.getLast();
    }

    /** All that were given, those joined by commas apart. */
    List<String> all(String name) {
        List<String> names = new ArrayList<>();
        for (String value : values.getOrDefault(name, List.of())) {
            for (String one : value.split(",", -1)) {
                if (!one.isBlank()) {
                    names.add(one.strip());
                }
            }
        }
        return names;
    }
}
