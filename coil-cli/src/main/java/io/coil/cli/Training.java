package io.coil.cli;

import com.sun.net.httpserver.HttpServer;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** One short run through all that a command does, so that its classes are in the cache. */
final class Training {
    private static final String ANSWER =
            """
            {"asOf":"2026-01-01T00:00:00Z","ageSeconds":0.1,"total":1,"next":null,"name":"x",
             "rest":0,"items":[{"name":"x","findings":["y"],"total":{"used":1,"capacity":2}}],
             "collection":{"phase":"completed","found":0,"done":0,"kept":0,"failed":0}}""";

    private Training() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    byte[] body = ANSWER.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, body.length);
                    try (OutputStream to = exchange.getResponseBody()) {
                        to.write(body);
                    }
                });
        server.start();
        Map<String, String> environment =
                Map.of(
                        "COIL_SERVER",
                        "http://localhost:" + server.getAddress().getPort(),
                        "COIL_TOKEN",
                        "t");
        PrintStream nowhere =
                new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8);
        int failed = 0;
        for (List<String> command :
                List.of(
                        List.of("get", "nodes"),
                        List.of("get", "blocks", "-o", "json"),
                        List.of("collect", "--wait"))) {
            failed += Cli.run(command, environment, nowhere, nowhere);
        }
        server.stop(0);
        System.exit(failed);
    }
}
