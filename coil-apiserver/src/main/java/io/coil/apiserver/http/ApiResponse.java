package io.coil.apiserver.http;

import tools.jackson.databind.JsonNode;

import java.util.Map;

/** An answer, whatever carries it. */
public sealed interface ApiResponse {
    /** An answer that is complete. */
    record Whole(int code, Map<String, String> headers, String contentType, String body)
            implements ApiResponse {}

    /** An answer that goes on: a watch, or a log that is followed. The receiver closes it. */
    record Streaming(Map<String, String> headers, String contentType, ApiStream stream)
            implements ApiResponse {}

    /** No answer: the connection is closed and the client does not learn what became of it. */
    record Dropped() implements ApiResponse {}

    static Whole json(int code, JsonNode body) {
        return new Whole(code, Map.of(), "application/json", JsonText.write(body));
    }

    static Whole text(int code, String body) {
        return new Whole(code, Map.of(), "text/plain; charset=utf-8", body);
    }
}
