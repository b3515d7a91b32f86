package io.coil.apiserver.schema;

/**
 * One value that a schema does not allow.
 *
 * @param field path, as {@code spec.subnets[0].ipv4}
 * @param reason Kubernetes' word, as {@code FieldValueRequired}
 * @param message the sentence without the path, as {@code Required value}
 */
public record Violation(String field, String reason, String message) {
    static Violation required(String field) {
        return new Violation(field, "FieldValueRequired", "Required value");
    }

    static Violation invalid(String field, String shown, String rule) {
        return new Violation(
                field,
                "FieldValueInvalid",
                "Invalid value: " + shown + ": " + field + " in body " + rule);
    }

    static Violation wrongType(String field, String actual, String expected) {
        return new Violation(
                field,
                "FieldValueTypeInvalid",
                "Invalid value: \"%s\": %s in body must be of type %s: \"%s\""
                        .formatted(actual, field, expected, actual));
    }
}
