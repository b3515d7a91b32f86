package io.coil.sandbox.system;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a Service is in a cluster: one port by which a server that is not in this JVM reaches the
 * controllers that run now. TLS passes through it.
 */
final class WebhookGateway implements Closeable {
    private final ServerSocket socket;
    private final Supplier<Optional<URI>> next;

    private WebhookGateway(ServerSocket socket, Supplier<Optional<URI>> next) {
        this.socket = socket;
        this.next = next;
    }

    /**
     * @param next where the next connection goes; empty: it is refused
     */
    static WebhookGateway open(Supplier<Optional<URI>> next) {
        try {
            WebhookGateway gateway =
                    new WebhookGateway(
                            new ServerSocket(0, 100, InetAddress.getLoopbackAddress()), next);
            Thread.ofVirtual().name("webhook gateway").start(gateway::serve);
            return gateway;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    URI url() {
        return URI.create("https://127.0.0.1:" + socket.getLocalPort());
    }

    private void serve() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                Thread.ofVirtual().name("webhook call").start(() -> join(client));
            } catch (IOException e) {
                // Closed, or this one connection failed.
            }
        }
    }

    private void join(Socket client) {
        Optional<URI> port = next.get();
        try (client) {
            if (port.isPresent()) {
                try (Socket controller =
                        new Socket(InetAddress.getLoopbackAddress(), port.get().getPort())) {
                    Thread back =
                            Thread.ofVirtual()
                                    .name("webhook answer")
                                    .start(() -> pass(controller, client));
                    pass(client, controller);
                    back.join();
                }
            }
        } catch (IOException e) {
            // The controller is gone: so is the connection.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pass(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // Either side has ended it.
        }
        try {
            to.shutdownOutput();
        } catch (IOException e) {
            // It was closed.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
