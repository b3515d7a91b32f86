package io.coil.apiserver.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

import io.coil.apiserver.auth.Identity;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Brings requests in over HTTPS, one virtual thread each, and their answers out. */
public final class HttpsFront implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpsFront.class);
    private static final Duration POLL = Duration.ofSeconds(30);
    private static final Duration LAST_REQUESTS = Duration.ofSeconds(3);
    private static final int MOST_AT_ONCE = 64 * 1024;

    static {
        // Read once by the JDK's server when its first class is loaded.
        setUnlessGiven("sun.net.httpserver.nodelay", "true");
        setUnlessGiven("sun.net.httpserver.maxIdleConnections", "20000");
        setUnlessGiven("sun.net.httpserver.idleInterval", "300");
    }

    /** Serves a request. */
    @FunctionalInterface
    public interface Service {
        ApiResponse handle(ApiRequest request) throws InterruptedException;
    }

    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Function<String, Optional<Identity>> tokens;
    private final Service service;

    /** Threads that wait for the next part of a stream: they may be interrupted at any time. */
    private final Set<Thread> streaming = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    private HttpsFront(
            HttpsServer server, Function<String, Optional<Identity>> tokens, Service service) {
        this.server = server;
        this.tokens = tokens;
        this.service = service;
    }

    /**
     * Listens on the loopback addresses only.
     *
     * @param port 0: any free one
     * @param tokens who the holder of a token is
     */
    public static HttpsFront open(
            int port,
            Certificates certificates,
            Function<String, Optional<Identity>> tokens,
            Service service)
            throws IOException {
        HttpsServer server;
        try {
            server =
                    HttpsServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1024);
        } catch (BindException e) {
            throw new PortInUseException(port, e);
        }
        HttpsFront front = new HttpsFront(server, tokens, service);
        server.setHttpsConfigurator(new HttpsConfigurator(certificates.context()));
        server.setExecutor(front.threads);
        server.createContext("/", front::serve);
        server.start();
        return front;
    }

    public URI url() {
        return URI.create("https://127.0.0.1:" + server.getAddress().getPort());
    }

    private void serve(HttpExchange exchange) {
        // Closed in any case: without an answer the connection ends, so that no client waits.
        try (exchange) {
            switch (service.handle(read(exchange))) {
                case ApiResponse.Whole whole -> send(exchange, whole);
                case ApiResponse.Streaming streaming -> send(exchange, streaming);
                case ApiResponse.Dropped ignored -> {}
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // The client is gone, which is how watches usually end.
            LOG.atDebug().addKeyValue("error", e.getMessage()).log("A connection ended");
        }
    }

    private ApiRequest read(HttpExchange exchange) throws IOException {
        Map<String, String> headers = new HashMap<>();
        exchange.getRequestHeaders()
                .forEach((name, values) -> headers.put(name, String.join(",", values)));
        String body;
        try (var in = exchange.getRequestBody()) {
            body = new String(in.readAllBytes(), charset(headers));
        }
        URI uri = exchange.getRequestURI();
        return new ApiRequest(
                exchange.getRequestMethod(),
                uri.getPath() == null ? "/" : uri.getPath(),
                ApiRequest.parseQuery(uri.getRawQuery()),
                headers,
                body,
                identity(headers));
    }

    private static Charset charset(Map<String, String> headers) {
        return headers.getOrDefault("Content-type", "").contains("protobuf")
                ? StandardCharsets.ISO_8859_1
                : StandardCharsets.UTF_8;
    }

    private Identity identity(Map<String, String> headers) {
        String authorization = headers.getOrDefault("Authorization", "");
        return authorization.startsWith("Bearer ")
                ? tokens.apply(authorization.substring("Bearer ".length()).trim())
                        .orElse(Identity.ANONYMOUS)
                : Identity.ANONYMOUS;
    }

    private static void send(HttpExchange exchange, ApiResponse.Whole response) throws IOException {
        byte[] body = response.body().getBytes(StandardCharsets.UTF_8);
        response.headers().forEach(exchange.getResponseHeaders()::set);
        exchange.getResponseHeaders().set("Content-Type", response.contentType());
        boolean none = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(response.code(), none ? -1 : body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            if (!none) {
                out.write(body);
            }
        }
    }

    private void send(HttpExchange exchange, ApiResponse.Streaming response)
            throws IOException, InterruptedException {
        Thread self = Thread.currentThread();
        streaming.add(self);
        try (ApiStream stream = response.stream()) {
            response.headers().forEach(exchange.getResponseHeaders()::set);
            exchange.getResponseHeaders().set("Content-Type", response.contentType());
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                out.flush();
                if (!closed) {
                    pump(stream, out);
                }
            }
        } finally {
            streaming.remove(self);
        }
    }

    /** Sends what there is in one piece, then waits for more. */
    private static void pump(ApiStream stream, OutputStream out)
            throws IOException, InterruptedException {
        StringBuilder pending = new StringBuilder();
        while (true) {
            ApiStream.Part part = stream.next(pending.isEmpty() ? POLL : Duration.ZERO);
            boolean more = false;
            if (part instanceof ApiStream.Text(String text)) {
                pending.append(text);
                more = pending.length() < MOST_AT_ONCE;
            }
            if (!more && !pending.isEmpty()) {
                out.write(pending.toString().getBytes(StandardCharsets.UTF_8));
                out.flush();
                pending.setLength(0);
            }
            if (part instanceof ApiStream.End) {
                return;
            }
        }
    }

    private static void setUnlessGiven(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    /** Ends running watches; what is being written is written to its end. */
    @Override
    public void close() {
        closed = true;
        server.stop(0);
        streaming.forEach(Thread::interrupt);
        threads.shutdown();
        try {
            if (!threads.awaitTermination(LAST_REQUESTS.toMillis(), TimeUnit.MILLISECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
