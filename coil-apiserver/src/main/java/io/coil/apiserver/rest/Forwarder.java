package io.coil.apiserver.rest;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.Faults;
import io.coil.apiserver.fault.Scope.Call;
import io.coil.apiserver.http.ApiRequest;
import io.coil.apiserver.http.ApiResponse;
import io.coil.apiserver.http.ApiStream;
import io.coil.apiserver.lifecycle.ApiStatusException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/**
 * Passes requests on to another API server, and lets faults strike them on the way there and back.
 * For clients that speak JSON: bodies and answers are text.
 */
public final class Forwarder {
    /** Those that belong to one connection, or that the client here sets itself. */
    private static final Set<String> NOT_FORWARDED =
            Set.of(
                    "host",
                    "connection",
                    "content-length",
                    "transfer-encoding",
                    "accept-encoding",
                    "upgrade",
                    "http2-settings",
                    "expect",
                    "keep-alive",
                    "te");

    /** The server ends a watch when its time is over. */
    private static final Duration AS_LONG_AS_THE_SERVER_LIKES = Duration.ofDays(1);

    private final URI server;
    private final HttpClient http;
    private final Faults faults;
    private final FaultLayer layer;

    public Forwarder(URI server, HttpClient http, Faults faults, RequestLog requests) {
        this.server = server;
        this.http = http;
        this.faults = faults;
        this.layer = new FaultLayer(faults, requests, Thread::sleep, this::forward);
    }

    /** Never throws but for an interrupt; a failure is a Status. */
    public ApiResponse handle(ApiRequest request) throws InterruptedException {
        return layer.handle(request);
    }

    private ApiResponse forward(
            ApiRequest request,
            @Nullable Target target,
            String verb,
            Call call,
            List<Effect> effects)
            throws InterruptedException {
        if (effects.stream().anyMatch(Forwarder::needsHistory)) {
            throw new ApiStatusException(
                    501,
                    "NotImplemented",
                    "how old a list is by writes or by time, only the server itself knows");
        }
        HttpRequest outgoing = outgoing(request, query(request, effects));
        try {
            return verb.equals("watch") ? watch(outgoing, call) : whole(outgoing);
        } catch (IOException e) {
            // The server ended the connection: so does this side.
            return new ApiResponse.Dropped();
        }
    }

    private static boolean needsHistory(Effect effect) {
        return effect instanceof Effect.StaleList || effect instanceof Effect.StaleListBySpan;
    }

    private ApiResponse whole(HttpRequest outgoing) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                http.send(outgoing, BodyHandlers.ofString(StandardCharsets.UTF_8));
        return whole(answer, answer.body());
    }

    private static ApiResponse.Whole whole(HttpResponse<?> answer, String body) {
        Map<String, String> headers = new HashMap<>();
        for (String name : List.of("warning", "retry-after", "audit-id")) {
            List<String> values = answer.headers().allValues(name);
            if (!values.isEmpty()) {
                headers.put(name, String.join(", ", values));
            }
        }
        return new ApiResponse.Whole(
                answer.statusCode(),
                headers,
                answer.headers().firstValue("content-type").orElse("text/plain"),
                body);
    }

    private ApiResponse watch(HttpRequest outgoing, Call call)
            throws IOException, InterruptedException {
        HttpResponse<InputStream> answer = http.send(outgoing, BodyHandlers.ofInputStream());
        if (answer.statusCode() != 200) {
            try (InputStream body = answer.body()) {
                return whole(answer, new String(body.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        ForwardedWatch watch = ForwardedWatch.of(answer.body());
        WatchStream stream =
                new WatchStream(
                        watch,
                        event -> event,
                        faults,
                        call,
                        System::nanoTime,
                        false,
                        AS_LONG_AS_THE_SERVER_LIKES);
        return new ApiResponse.Streaming(
                Map.of(), "application/json", new UntilTheServerEnds(stream, watch));
    }

    /** A list of an older version is asked of the server as such; its next page is its own. */
    private static Map<String, List<String>> query(ApiRequest request, List<Effect> effects) {
        Map<String, List<String>> query = request.query();
        for (Effect effect : effects) {
            if (effect instanceof Effect.StaleListAsOf(long version)
                    && request.parameter("continue") == null) {
                query = new HashMap<>(query);
                query.put("resourceVersion", List.of(Long.toString(version)));
                query.put("resourceVersionMatch", List.of("Exact"));
            }
        }
        return query;
    }

    private HttpRequest outgoing(ApiRequest request, Map<String, List<String>> query) {
        HttpRequest.Builder outgoing =
                HttpRequest.newBuilder(server.resolve(pathAndQuery(request, query)))
                        .method(
                                request.method(),
                                request.body().isEmpty()
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(
                                                request.body(), StandardCharsets.UTF_8));
        request.headers()
                .forEach(
                        (name, value) -> {
                            if (!NOT_FORWARDED.contains(name)) {
                                outgoing.setHeader(name, value);
                            }
                        });
        return outgoing.build();
    }

    private static String pathAndQuery(ApiRequest request, Map<String, List<String>> parameters) {
        StringJoiner path = new StringJoiner("/");
        for (String part : request.path().split("/", -1)) {
            path.add(encoded(part));
        }
        StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
        parameters.forEach(
                (name, values) -> values.forEach(v -> query.add(encoded(name) + "=" + encoded(v))));
        return path + query.toString();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** A watch that is over when the server's is, whether or not a fault holds it back. */
    private record UntilTheServerEnds(WatchStream stream, ForwardedWatch watch)
            implements ApiStream {
        @Override
        public Part next(Duration max) throws InterruptedException {
            Part part = stream.next(max);
            return part instanceof Quiet && watch.over() ? new End() : part;
        }

        @Override
        public void close() {
            stream.close();
        }
    }
}
