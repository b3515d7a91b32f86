package io.coil.apiserver.lifecycle;

import io.coil.apiserver.lifecycle.ApiStatusException.Cause;
import io.coil.apiserver.resource.ResourceType;

import java.util.List;
import java.util.stream.Collectors;

/** The refusals, in the words that Kubernetes' users know. */
public final class ApiErrors {
    private ApiErrors() {}

    public static ApiStatusException notFound(ResourceType type, String name) {
        return new ApiStatusException(
                404, "NotFound", "%s \"%s\" not found".formatted(type.qualifiedName(), name));
    }

    public static ApiStatusException alreadyExists(ResourceType type, String name) {
        return new ApiStatusException(
                409,
                "AlreadyExists",
                "%s \"%s\" already exists".formatted(type.qualifiedName(), name));
    }

    public static ApiStatusException conflict(ResourceType type, String name, String why) {
        return new ApiStatusException(
                409,
                "Conflict",
                "Operation cannot be fulfilled on %s \"%s\": %s"
                        .formatted(type.qualifiedName(), name, why));
    }

    public static ApiStatusException modified(ResourceType type, String name) {
        return conflict(
                type,
                name,
                "the object has been modified; please apply your changes to the latest version and"
                        + " try again");
    }

    public static ApiStatusException forbidden(
            ResourceType type, String name, String why, List<Cause> causes) {
        return new ApiStatusException(
                403,
                "Forbidden",
                "%s \"%s\" is forbidden: %s".formatted(type.qualifiedName(), name, why),
                causes,
                null);
    }

    public static ApiStatusException badRequest(String message) {
        return new ApiStatusException(400, "BadRequest", message);
    }

    /** {@code causes} say what is wrong, one or more. */
    public static ApiStatusException invalid(ResourceType type, String name, List<Cause> causes) {
        String all =
                causes.stream()
                        .map(c -> c.field() + ": " + c.message())
                        .collect(Collectors.joining(", "));
        String kind = type.group().isEmpty() ? type.kind() : type.kind() + "." + type.group();
        return new ApiStatusException(
                422,
                "Invalid",
                "%s \"%s\" is invalid: %s"
                        .formatted(kind, name, causes.size() == 1 ? all : "[" + all + "]"),
                causes,
                null);
    }

    public static ApiStatusException invalid(
            ResourceType type, String name, String field, String message) {
        String reason =
                message.startsWith("Required")
                        ? "FieldValueRequired"
                        : message.startsWith("Forbidden")
                                ? "FieldValueForbidden"
                                : "FieldValueInvalid";
        return invalid(type, name, List.of(new Cause(field, reason, message)));
    }

    public static ApiStatusException expired(String message) {
        return new ApiStatusException(410, "Expired", message);
    }

    /** A version that does not exist yet. */
    public static ApiStatusException tooLarge(long asked, long current) {
        return new ApiStatusException(
                504,
                "Timeout",
                "Too large resource version: %d, current: %d".formatted(asked, current),
                List.of(new Cause("", "ResourceVersionTooLarge", "Too large resource version")),
                1);
    }
}
