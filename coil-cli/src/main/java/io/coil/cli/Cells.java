package io.coil.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

/** Fields of an answer as cells of a table; {@code -} for what is not known. */
final class Cells {
    private static final String NONE = "-";

    private Cells() {}

    /**
     * @param field as in {@link Kind.Column}
     * @param asOf when the answer was true, for what is said as a time since
     */
    static String of(JsonObject item, String field, Instant asOf) {
        if (field.startsWith("~")) {
            return since(text(item, field.substring(1)), asOf);
        }
        int stroke = field.indexOf('/');
        if (stroke < 0) {
            return text(item, field);
        }
        String first = text(item, field.substring(0, stroke));
        String second = text(item, field.substring(stroke + 1));
        return first.equals(NONE) && second.equals(NONE) ? NONE : first + "/" + second;
    }

    private static String text(JsonObject item, String path) {
        JsonElement value = item;
        for (String name : path.split("\\.", -1)) {
            if (value == null || !value.isJsonObject()) {
                return NONE;
            }
            value = value.getAsJsonObject().get(name);
        }
        if (value == null || value.isJsonNull()) {
            return NONE;
        }
        if (value.isJsonArray()) {
            return joined(value.getAsJsonArray());
        }
        if (value.isJsonPrimitive() && value.getAsJsonPrimitive().isBoolean()) {
            return value.getAsBoolean() ? "yes" : "no";
        }
        String said = value.isJsonPrimitive() ? value.getAsString() : value.toString();
        return said.isEmpty() ? NONE : said.replaceAll("\\p{Cntrl}", " ");
    }

    private static String joined(JsonArray values) {
        List<String> all = new ArrayList<>();
        values.forEach(value -> all.add(value.getAsString()));
        return all.isEmpty() ? NONE : String.join(",", all);
    }

    private static String since(String time, Instant asOf) {
        try {
            return time.equals(NONE) ? NONE : span(Duration.between(Instant.parse(time), asOf));
        } catch (DateTimeParseException e) {
            return time;
        }
    }

    /** Two units at most, as in {@code 2d4h}. */
    static String span(Duration span) {
        long seconds = Math.max(0, span.toSeconds());
        long[] sizes = {86_400, 3600, 60, 1};
        char[] units = {'d', 'h', 'm', 's'};
        for (int i = 0; i < sizes.length; i++) {
            long count = seconds / sizes[i];
            if (count > 0) {
                long below = i + 1 < sizes.length ? seconds % sizes[i] / sizes[i + 1] : 0;
                return "" + count + units[i] + (below > 0 ? "" + below + units[i + 1] : "");
            }
        }
        return "0s";
    }
}
