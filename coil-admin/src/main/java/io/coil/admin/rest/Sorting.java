package io.coil.admin.rest;

import io.coil.admin.problem.Problem;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * The order of a list: fields, the first of them first, {@code -} before one turns it round. What
 * is not known comes last in either direction. Every order ends in fields that together name one
 * item, so that there is always one place to go on from.
 */
final class Sorting {
    private record Key(boolean descending, Function<Object, @Nullable Object> value) {}

    private final String text;
    private final List<Key> keys;

    private Sorting(String text, List<Key> keys) {
        this.text = text;
        this.keys = keys;
    }

    /**
     * @param asked as in {@code -total.used,name}; null or empty: {@code usual}
     * @param unique fields that together name one item
     */
    static Sorting of(Fields fields, @Nullable String asked, String usual, String unique) {
        String chosen = asked == null || asked.isBlank() ? usual : asked;
        String whole = chosen + "," + unique;
        List<Key> keys = new ArrayList<>();
        for (String one : whole.split(",", -1)) {
            String name = one.strip();
            boolean descending = name.startsWith("-");
            String path = descending ? name.substring(1) : name;
            Function<Object, @Nullable Object> reader = fields.reader(path, "sort");
            keys.add(new Key(descending, item -> comparable(reader.apply(item), path)));
        }
        return new Sorting(whole, keys);
    }

    @SuppressWarnings("EnumOrdinal") // a choice is in the order in which it is declared
    private static @Nullable Object comparable(@Nullable Object value, String path) {
        return switch (value) {
            case null -> null;
            case Enum<?> choice -> BigDecimal.valueOf(choice.ordinal());
            case Number number -> new BigDecimal(number.toString());
            case Boolean flag -> flag;
            case Instant time -> time;
            case CharSequence chars -> chars.toString();
            default ->
                    throw Problem.of(
                                    HttpStatus.BAD_REQUEST,
                                    "Parameter sort cannot be used",
                                    "\"%s\" is a list; sort by a text, a number or a time."
                                            .formatted(path))
                            .thrown();
        };
    }

    /** Its place in the order, to be compared with others of the same order. */
    List<@Nullable Object> place(Object item) {
        return Arrays.asList(keys.stream().map(key -> key.value().apply(item)).toArray());
    }

    /** Throws {@link ClassCastException} if one of them is of another order. */
    int compare(List<@Nullable Object> a, List<@Nullable Object> b) {
        for (int i = 0; i < keys.size(); i++) {
            int order = compare(a.get(i), b.get(i), keys.get(i).descending());
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    @SuppressWarnings("unchecked") // both were made by comparable(), from the same field
    private static int compare(@Nullable Object a, @Nullable Object b, boolean descending) {
        if (a == null) {
            return b == null ? 0 : 1;
        }
        if (b == null) {
            return -1;
        }
        int order = ((Comparable<Object>) a).compareTo(b);
        return descending ? -order : order;
    }

    int size() {
        return keys.size();
    }

    <T> List<T> sorted(List<T> items) {
        record Placed<T>(T item, List<@Nullable Object> place) {}
        return items.stream()
                .map(item -> new Placed<>(item, place(item)))
                .sorted(Comparator.comparing(Placed::place, this::compare))
                .map(Placed::item)
                .toList();
    }

    @Override
    public String toString() {
        return text;
    }
}
