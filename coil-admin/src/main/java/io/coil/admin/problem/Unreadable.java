package io.coil.admin.problem;

import org.jspecify.annotations.Nullable;
import org.springframework.http.converter.HttpMessageNotReadableException;

import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

import java.util.Collection;
import java.util.Objects;
import java.util.stream.Collectors;

/** Says what is wrong with a body, in words of JSON and not of Java. */
final class Unreadable {
    private Unreadable() {}

    static String why(HttpMessageNotReadableException failure) {
        return switch (failure.getCause()) {
            case StreamReadException syntax -> "the body is no JSON: " + place(syntax);
            case UnrecognizedPropertyException unknown ->
                    "field \"%s\": it is not known here; known are %s"
                            .formatted(unknown.getPropertyName(), known(unknown));
            case MismatchedInputException mismatch ->
                    field(mismatch) + "it must be " + wanted(mismatch.getTargetType());
            case DatabindException other -> field(other) + "it does not fit";
            case null, default -> "the body is no JSON: it is empty";
        };
    }

    private static String known(UnrecognizedPropertyException unknown) {
        Collection<Object> names = unknown.getKnownPropertyIds();
        return names == null
                ? "none"
                : names.stream().map(Object::toString).sorted().collect(Collectors.joining(", "));
    }

    private static String wanted(@Nullable Class<?> type) {
        if (type == null || type.isRecord()) {
            return "an object";
        }
        if (Collection.class.isAssignableFrom(type)) {
            return "a list of names";
        }
        if (type == Boolean.class || type == boolean.class) {
            return "true or false";
        }
        return Number.class.isAssignableFrom(type) ? "a number" : "text";
    }

    private static String place(StreamReadException syntax) {
        String text = syntax.getOriginalMessage().lines().findFirst().orElse("");
        return "line %d, column %d: %s"
                .formatted(
                        syntax.getLocation().getLineNr(), syntax.getLocation().getColumnNr(), text);
    }

    private static String field(DatabindException failure) {
        String name =
                failure.getPath().stream()
                        .map(JacksonException.Reference::getPropertyName)
                        .filter(Objects::nonNull)
                        .collect(Collectors.joining("."));
        return name.isEmpty() ? "the body: " : "field \"" + name + "\": ";
    }
}
