package io.coil.cli;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;

/** Problem details (RFC 9457) as a sentence or two. */
final class Refusal {
    private Refusal() {}

    static String of(String body, int status) {
        try {
            JsonElement parsed = JsonParser.parseString(body);
            if (parsed.isJsonObject() && parsed.getAsJsonObject().has("title")) {
                JsonObject problem = parsed.getAsJsonObject();
                String detail = problem.has("detail") ? problem.get("detail").getAsString() : "";
                return problem.get("title").getAsString() + (detail.isEmpty() ? "" : ". " + detail);
            }
        } catch (JsonParseException | IllegalStateException | UnsupportedOperationException e) {
            // then it is no problem detail
        }
        return "the answer is %d: is that the address of Coil's admin application?"
                .formatted(status);
    }
}
