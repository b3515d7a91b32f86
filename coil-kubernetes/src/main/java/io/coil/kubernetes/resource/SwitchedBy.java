package io.coil.kubernetes.resource;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;

/**
 * Who set a switch (an annotation such as {@link Names#COLLECTION}), when and why: {@code
 * value;time;who;reason} in an annotation beside it. Only for people to read; it is true only as
 * long as the switch has that value, for others may set the switch without it.
 *
 * @param value of the switch
 */
public record SwitchedBy(String value, Instant at, String who, String reason) {
    private static final int PARTS = 4;

    /** Of the switch and the annotation beside it; empty if that is not known (any more). */
    public static Optional<SwitchedBy> of(
            Map<String, String> annotations, String name, String beside) {
        String value = annotations.get(name);
        return value == null
                ? Optional.empty()
                : parse(annotations.getOrDefault(beside, ""))
                        .filter(by -> by.value().equals(value));
    }

    static Optional<SwitchedBy> parse(String text) {
        String[] parts = text.split(";", PARTS);
        if (parts.length < PARTS) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new SwitchedBy(parts[0], Instant.parse(parts[1]), parts[2], parts[3]));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** As it stands in the annotation. */
    public String text() {
        return String.join(";", value, at.toString(), who.replace(';', ','), reason);
    }
}
