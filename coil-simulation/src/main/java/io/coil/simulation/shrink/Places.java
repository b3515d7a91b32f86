package io.coil.simulation.shrink;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/** Places of decisions as text: {@code 0,3,7-9}. */
public final class Places {
    private static final int MOST = 1_000_000;

    private Places() {}

    /**
     * Reads them.
     *
     * @throws IllegalArgumentException if the text is not of that form
     */
    public static Set<Integer> parse(String text) {
        Set<Integer> places = new TreeSet<>();
        for (String part : text.split(",", -1)) {
            int dash = part.indexOf('-', 1);
            int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
            int last = dash < 0 ? first : Integer.parseInt(part.substring(dash + 1));
            if (first < 0 || last < first || last > MOST) {
                throw new IllegalArgumentException("not a range of places: " + part);
            }
            for (int place = first; place <= last; place++) {
                places.add(place);
            }
        }
        return places;
    }

    public static String text(Collection<Integer> places) {
        StringBuilder text = new StringBuilder();
        Integer first = null;
        Integer last = null;
        for (Integer place : new TreeSet<>(places)) {
            if (first != null && last != null && place == last + 1) {
                last = place;
                continue;
            }
            append(text, first, last);
            first = place;
            last = place;
        }
        append(text, first, last);
        return text.toString();
    }

    private static void append(
            StringBuilder text, @Nullable Integer first, @Nullable Integer last) {
        if (first == null || last == null) {
            return;
        }
        text.append(text.isEmpty() ? "" : ",").append(first);
        if (!first.equals(last)) {
            text.append('-').append(last);
        }
    }
}
