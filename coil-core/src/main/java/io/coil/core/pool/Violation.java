package io.coil.core.pool;

/**
 * A rule that a pool does not keep.
 *
 * @param field the path of the field, such as {@code spec.subnets[1].ipv4}
 * @param message a sentence that names the value and the limit
 */
public record Violation(String field, String message) {
    @Override
    public String toString() {
        return field + ": " + message;
    }
}
