package io.coil.kubernetes.client;

import com.google.gson.JsonParseException;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;

import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

import java.io.IOException;
import java.io.Reader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Sends requests with the Kubernetes client's identity and TLS, and tells failures apart.
 *
 * <p>A call blocks its thread. If that is a virtual thread, as every task's is, interrupting it
 * closes the socket and so ends the call.
 */
final class Http implements AutoCloseable {
    private static final int MOST_OF_A_FAILURE = 64 * 1024;

    /** Reads the body of a successful answer. */
    @FunctionalInterface
    interface Reading<R> {
        R read(Reader body) throws IOException;
    }

    /** A watch's answer, begun. */
    record Stream(Call call, Response response) {}

    private final ApiClient identity;
    private final OkHttpClient calls;
    private final OkHttpClient streams;
    private final String userAgent;
    private final Duration beginning;
    private final Consumer<String> warnings;

    Http(ApiClient identity, ClientSettings settings, Consumer<String> warnings) {
        this.identity = identity;
        this.calls = identity.getHttpClient();
        this.streams =
                calls.newBuilder()
                        .callTimeout(Duration.ZERO)
                        .readTimeout(settings.watchSilence())
                        .build();
        this.userAgent = settings.userAgent();
        this.beginning = settings.callTimeout();
        this.warnings = warnings;
    }

    HttpUrl base() {
        return HttpUrl.get(identity.getBasePath());
    }

    <R> R exchange(Ask ask, Reading<R> reading) {
        try (Response response = calls.newCall(request(ask)).execute()) {
            response.headers("Warning").forEach(header -> Warnings.in(header).forEach(warnings));
            if (!response.isSuccessful()) {
                throw failure(ask, response);
            }
            return reading.read(response.body().charStream());
        } catch (IOException e) {
            throw Failures.noAnswer(ask, e);
        } catch (JsonParseException | IllegalStateException e) {
            throw Failures.unreadable(ask, e);
        }
    }

    /** Begins an answer that goes on; from then on only silence ends the wait for more of it. */
    Stream stream(Ask ask) {
        Call call = streams.newCall(request(ask));
        Thread limit = Thread.ofVirtual().name("limit of " + ask).start(() -> endLater(call));
        try {
            Response response = call.execute();
            if (!response.isSuccessful()) {
                try (response) {
                    throw failure(ask, response);
                }
            }
            return new Stream(call, response);
        } catch (IOException e) {
            throw Failures.noAnswer(ask, e);
        } finally {
            limit.interrupt();
        }
    }

    /** The time-out of a socket holds for all that is read of it, so it cannot do this. */
    private void endLater(Call call) {
        try {
            Thread.sleep(beginning);
            call.cancel();
        } catch (InterruptedException begun) {
            Thread.currentThread().interrupt();
        }
    }

    private static RuntimeException failure(Ask ask, Response response) throws IOException {
        String body = response.peekBody(MOST_OF_A_FAILURE).string();
        return Failures.of(ask, response.code(), response.header("Retry-After"), body);
    }

    private Request request(Ask ask) {
        Map<String, String> headers = new HashMap<>();
        try {
            identity.updateParamsForAuth(
                    new String[] {"BearerToken"},
                    new ArrayList<>(),
                    headers,
                    new HashMap<>(),
                    "",
                    ask.method(),
                    ask.url().uri());
        } catch (ApiException e) {
            throw new IllegalStateException("cannot say who we are to the API server", e);
        }
        Request.Builder request =
                new Request.Builder()
                        .url(ask.url())
                        .method(ask.method(), ask.body())
                        .header("Accept", "application/json")
                        .header("User-Agent", userAgent);
        headers.forEach(request::header);
        return request.build();
    }

    @Override
    public void close() {
        calls.dispatcher().cancelAll();
        calls.connectionPool().evictAll();
    }
}
