package io.coil.kubernetes.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** Answers requests with what the test has laid out, in order, and remembers what was asked. */
final class ScriptedServer implements AutoCloseable {
    /** What was asked. */
    record Asked(String method, String path, String query, String type, String body) {}

    /** One answer. */
    @FunctionalInterface
    interface Answer {
        void give(HttpExchange exchange) throws IOException;
    }

    private final HttpServer server;
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    final List<Asked> asked = new CopyOnWriteArrayList<>();

    ScriptedServer() {
        try {
            InetAddress local = InetAddress.getLoopbackAddress();
            server = HttpServer.create(new InetSocketAddress(local, 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    ClientSettings settings() {
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        return ClientSettings.direct(url, "s3cret", "", "coil-test");
    }

    void answer(int code, String body) {
        answers.add(exchange -> send(exchange, code, body));
    }

    void answer(Answer answer) {
        answers.add(answer);
    }

    static void send(HttpExchange exchange, int code, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private void handle(HttpExchange exchange) throws IOException {
        URI uri = exchange.getRequestURI();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        asked.add(
                new Asked(
                        exchange.getRequestMethod(),
                        uri.getRawPath(),
                        uri.getQuery() == null ? "" : uri.getQuery(),
                        type == null ? "" : type,
                        body));
        Answer answer = answers.poll();
        if (answer == null) {
            send(exchange, 500, "nothing laid out");
        } else {
            answer.give(exchange);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
