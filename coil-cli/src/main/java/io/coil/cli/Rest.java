package io.coil.cli;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;

/**
 * Requests to the admin application. One that was not served because there was too much to do, or
 * whose answer was lost, is sent again: reading is harmless, and what is changed carries a key.
 */
final class Rest implements AutoCloseable {
    private static final int TRIES = 4;
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final Place place;
    private final HttpClient http;

    Rest(Place place) throws Failure {
        this.place = place;
        HttpClient.Builder client =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(Duration.ofSeconds(5));
        if (place.authority() != null) {
            client.sslContext(Trust.in(place.authority()));
        }
        this.http = client.build();
    }

    /** An answer that says yes. */
    record Answer(int status, String body, Optional<String> location, Optional<String> link) {
        JsonObject json() throws Failure {
            try {
                JsonElement parsed = JsonParser.parseString(body);
                if (parsed.isJsonObject()) {
                    return parsed.getAsJsonObject();
                }
            } catch (JsonParseException e) {
                // said below
            }
            throw new Failure(
                    Exit.NOT_REACHED, "what answers there is no Coil: it sends no JSON object");
        }
    }

    Answer get(String path, String accept) throws Failure, InterruptedException {
        return send(request(path).header("Accept", accept).GET().build());
    }

    Answer post(String path, JsonObject body, String key) throws Failure, InterruptedException {
        return send(
                request(path)
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json")
                        .header("Idempotency-Key", key)
                        .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                        .build());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(place.server().resolve(path))
                .timeout(LONGEST)
                .header("Authorization", "Bearer " + place.token())
                .header("User-Agent", "coil-cli");
    }

    private Answer send(HttpRequest request) throws Failure, InterruptedException {
        Failure last = new Failure(Exit.NOT_REACHED, "nobody was asked");
        for (int attempt = 1; attempt <= TRIES; attempt++) {
            try {
                HttpResponse<String> response =
                        http.send(request, HttpResponse.BodyHandlers.ofString());
                int status = response.statusCode();
                if (status != 429 && status != 503) {
                    return answer(response);
                }
                last = new Failure(Exit.NOT_REACHED, Refusal.of(response.body(), status));
            } catch (HttpTimeoutException e) {
                last = notReached("does not answer in time");
            } catch (IOException e) {
                String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
                last = notReached("cannot be reached (%s)".formatted(why));
            }
            if (attempt < TRIES) {
                Thread.sleep(PAUSE.multipliedBy(attempt));
            }
        }
        throw last;
    }

    private Failure notReached(String what) {
        return new Failure(
                Exit.NOT_REACHED,
                "%s %s: is it the right address (--server, COIL_SERVER), and does it run?"
                        .formatted(place.server(), what));
    }

    private static Answer answer(HttpResponse<String> response) throws Failure {
        int status = response.statusCode();
        if (status >= 200 && status < 300) {
            return new Answer(
                    status,
                    response.body(),
                    response.headers().firstValue("Location"),
                    response.headers().firstValue("Link"));
        }
        Exit exit =
                switch (status) {
                    case 401, 403 -> Exit.NOT_ALLOWED;
                    case 400, 406, 415 -> Exit.WRONG_USE;
                    case 404, 409, 410, 422 -> Exit.NOT_DONE;
                    default -> Exit.NOT_REACHED;
                };
        throw new Failure(exit, Refusal.of(response.body(), status));
    }

    @Override
    public void close() {
        http.close();
    }
}
