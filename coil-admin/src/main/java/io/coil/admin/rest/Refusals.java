package io.coil.admin.rest;

import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.responses.ApiResponse;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The answers that say no, in the description; each is a problem detail (RFC 9457). */
enum Refusals {
    BAD_REQUEST(400, "A parameter or the body cannot be read; the detail says which and why"),
    UNAUTHORIZED(401, "No token, or one that the Kubernetes API does not know"),
    FORBIDDEN(403, "The token's owner lacks a right; the detail names it"),
    NOT_FOUND(404, "There is nothing of that name"),
    NOT_ACCEPTABLE(406, "It cannot be had in a format that the Accept header names"),
    CONFLICT(409, "It has changed meanwhile, or the key was used for something else"),
    GONE(410, "The list can no longer be read on; begin again without continue"),
    UNSUPPORTED(415, "The body is not of a type that is read here"),
    UNPROCESSABLE(422, "That cannot be done as asked; errors has a sentence for each reason"),
    TOO_MANY(429, "Too many requests at once; try again after the seconds of Retry-After"),
    UNAVAILABLE(503, "The Kubernetes API is silent, or not everything has been read yet");

    static final String PROBLEM = "application/problem+json";

    private final int status;
    private final String meaning;

    Refusals(int status, String meaning) {
        this.status = status;
        this.meaning = meaning;
    }

    String code() {
        return Integer.toString(status);
    }

    /** A reference to what {@link #addTo} has put there. */
    ApiResponse reference() {
        return new ApiResponse().$ref("#/components/responses/" + name());
    }

    static void addTo(Components components) {
        components.addSchemas("Problem", problem());
        for (Refusals refusal : values()) {
            ApiResponse response =
                    new ApiResponse()
                            .description(refusal.meaning)
                            .content(
                                    new Content()
                                            .addMediaType(
                                                    PROBLEM,
                                                    new MediaType()
                                                            .schema(
                                                                    new Schema<>()
                                                                            .$ref("Problem"))));
            if (refusal == TOO_MANY) {
                response.addHeaderObject(
                        "Retry-After",
                        new Header().description("seconds").schema(of("integer", null)));
            }
            components.addResponses(refusal.name(), response);
        }
    }

    @SuppressWarnings("rawtypes") // the library has them so
    private static Schema<?> problem() {
        Map<String, Schema> fields = new LinkedHashMap<>();
        fields.put("type", of("string", "always about:blank: the status says the kind"));
        fields.put("title", of("string", "what is wrong, short"));
        fields.put("status", of("integer", null));
        fields.put("detail", of("string", "what exactly, and what can be done"));
        fields.put("instance", of("string", "path of the request"));
        Schema<?> errors = of("array", "a sentence for each thing that is wrong");
        errors.setItems(of("string", null));
        fields.put("errors", errors);
        Schema<?> asOf = of("string", "when what it was judged by was true");
        asOf.setFormat("date-time");
        fields.put("asOf", asOf);
        fields.put("ageSeconds", of("integer", null));
        Schema<?> problem = of("object", "Why a request was not served (RFC 9457)");
        problem.setProperties(fields);
        problem.setRequired(List.of("type", "title", "status", "detail", "instance"));
        return problem;
    }

    private static Schema<?> of(String type, @Nullable String meaning) {
        Schema<?> schema = new JsonSchema();
        schema.setTypes(Set.of(type));
        schema.setDescription(meaning);
        return schema;
    }
}
