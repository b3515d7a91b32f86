package io.coil.apiserver;

import io.coil.apiserver.auth.Identity;
import io.coil.apiserver.fault.Faults;
import io.coil.apiserver.http.Certificates;
import io.coil.apiserver.http.HttpsFront;
import io.coil.apiserver.rest.Forwarder;
import io.coil.apiserver.rest.RequestLog;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;

/**
 * Stands in front of another API server, passes on what clients ask of it, and injects the same
 * faults as {@link ApiServer} does, but for lists that are stale by a number of writes or a time:
 * only the server knows how far back that is. Who somebody is and what he may do is the other
 * server's business.
 */
public final class FaultProxy implements AutoCloseable {
    private final Faults faults = new Faults(new Random());
    private final RequestLog requests = new RequestLog();
    private final Certificates certificates = Certificates.in(null);
    private final HttpsFront front;

    private FaultProxy(URI server, HttpClient http, Function<String, Optional<String>> users)
            throws IOException {
        Forwarder forwarder = new Forwarder(server, http, faults, requests);
        front =
                HttpsFront.open(
                        0,
                        certificates,
                        token -> users.apply(token).map(user -> Identity.of(user, List.of())),
                        forwarder::handle);
    }

    /**
     * Listens on a free port of the loopback address.
     *
     * @param http trusts the server; the caller closes it
     * @param users whose a token is, as far as it is known; faults and counts go by it, no right
     */
    public static FaultProxy inFrontOf(
            URI server, HttpClient http, Function<String, Optional<String>> users)
            throws IOException {
        return new FaultProxy(server, http, users);
    }

    public URI url() {
        return front.url();
    }

    /** The certificate (PEM) by which clients know the proxy. */
    public byte[] caCertificate() {
        return certificates.authorityPem().getBytes(StandardCharsets.US_ASCII);
    }

    public Faults faults() {
        return faults;
    }

    public RequestLog requests() {
        return requests;
    }

    /** Ends all connections and watches of clients. */
    @Override
    public void close() {
        front.close();
    }
}
