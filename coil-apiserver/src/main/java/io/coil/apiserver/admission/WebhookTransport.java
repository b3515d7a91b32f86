package io.coil.apiserver.admission;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/** How a review gets to a webhook and its answer back. */
@FunctionalInterface
public interface WebhookTransport extends AutoCloseable {
    /**
     * @param serverName name that the certificate must be for
     * @param caBundle PEM; empty: the usual authorities
     */
    record Call(URI uri, String serverName, String caBundle, String body, Duration timeout) {}

    /**
     * @return the body of a good answer
     * @throws IOException when there was none, also for any HTTP status but 200
     */
    String call(Call call) throws IOException, InterruptedException;

    @Override
    default void close() {}
}
