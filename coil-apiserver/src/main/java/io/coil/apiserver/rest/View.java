package io.coil.apiserver.rest;

import io.coil.apiserver.http.ApiRequest;
import io.coil.apiserver.lifecycle.ApiStatusException;
import io.coil.apiserver.table.Tables;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The shape in which a client wants objects, by its Accept header. */
sealed interface View {
    record Plain() implements View {}

    record MetadataOnly() implements View {}

    record Table(Tables.Include include) implements View {}

    /** The first of the accepted types that this server can write; 406 if there is none. */
    static View of(ApiRequest request) {
        String accept = request.header("accept");
        if (accept.isBlank()) {
            return new Plain();
        }
        for (String range : accept.toLowerCase(Locale.ROOT).split(",", -1)) {
            List<String> parts = new ArrayList<>();
            for (String part : range.split(";", -1)) {
                parts.add(part.trim());
            }
            boolean json =
                    switch (parts.getFirst()) {
                        case "application/json", "application/*", "*/*" -> true;
                        default -> false;
                    };
            String as =
                    parts.stream()
                            .filter(part -> part.startsWith("as="))
                            .map(part -> part.substring(3))
                            .findFirst()
                            .orElse("");
            if (json && as.isEmpty()) {
                return new Plain();
            }
            if (json && parts.contains("g=meta.k8s.io") && parts.contains("v=v1")) {
                switch (as) {
                    case "table" -> {
                        return new Table(include(request));
                    }
                    case "partialobjectmetadata", "partialobjectmetadatalist" -> {
                        return new MetadataOnly();
                    }
                    default -> {}
                }
            }
        }
        throw new ApiStatusException(
                406,
                "NotAcceptable",
                "only the following media types are accepted: application/json");
    }

    private static Tables.Include include(ApiRequest request) {
        String wanted = request.parameter("includeObject");
        return switch (wanted == null ? "Metadata" : wanted) {
            case "None" -> Tables.Include.NONE;
            case "Object" -> Tables.Include.OBJECT;
            default -> Tables.Include.METADATA;
        };
    }
}
