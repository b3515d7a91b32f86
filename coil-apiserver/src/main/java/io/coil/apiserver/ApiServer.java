package io.coil.apiserver;

import io.coil.apiserver.auth.Authorizer;
import io.coil.apiserver.auth.Identity;
import io.coil.apiserver.auth.RbacAuthorizer;
import io.coil.apiserver.auth.Reviews;
import io.coil.apiserver.auth.Tokens;
import io.coil.apiserver.fault.Faults;
import io.coil.apiserver.http.ApiRequest;
import io.coil.apiserver.http.ApiResponse;
import io.coil.apiserver.http.Certificates;
import io.coil.apiserver.http.HttpsFront;
import io.coil.apiserver.lifecycle.Operations;
import io.coil.apiserver.resource.ResourceRegistry;
import io.coil.apiserver.resource.ResourceType;
import io.coil.apiserver.rest.Backend;
import io.coil.apiserver.rest.Dispatcher;
import io.coil.apiserver.rest.RequestLog;
import io.coil.apiserver.rest.VersionTimes;
import io.coil.apiserver.storage.Storage;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * A small Kubernetes API server in this JVM. {@link #handle} serves requests without sockets or
 * threads; {@link #start} serves them over HTTPS on the loopback address too.
 */
public final class ApiServer implements ApiEndpoint {
    private final Storage storage;
    private final Faults faults;
    private final RequestLog requests = new RequestLog();
    private final Tokens tokens;
    private final Certificates certificates;
    private final Dispatcher dispatcher;
    private final int port;
    private final boolean collection;
    private @Nullable HttpsFront front;
    private @Nullable Maintenance maintenance;

    ApiServer(ApiServerBuilder settings) {
        this.storage = settings.openStorage();
        this.port = settings.port;
        this.faults = new Faults(settings.random);
        this.tokens = new Tokens(SigningKey.in(settings.stateDir));
        this.certificates = Certificates.in(settings.stateDir);
        this.collection = settings.collection;
        storage.createSystemNamespaces();
        settings.definitions.forEach(
                yaml -> storage.applyDefinitions(new ByteArrayInputStream(yaml)));
        new DefaultRoles(storage.registry(), storage.operations()).create();
        VersionTimes versions = new VersionTimes(settings.nanos, storage.store().version());
        storage.store().listen(versions);
        Authorizer authorizer =
                settings.authorization
                        ? new RbacAuthorizer(storage.operations(), this::rbacType)
                        : Authorizer.allowAll();
        this.dispatcher =
                new Dispatcher(
                        new Backend(
                                storage.registry(),
                                storage.operations(),
                                authorizer,
                                new Reviews(tokens, authorizer),
                                faults,
                                requests,
                                settings.logs,
                                versions,
                                settings.clock,
                                settings.nanos,
                                settings.pause));
    }

    private ResourceType rbacType(String plural) {
        return storage.registry().find(RbacAuthorizer.GROUP, "v1", plural).orElseThrow();
    }

    public static ApiServerBuilder builder() {
        return new ApiServerBuilder();
    }

    /**
     * Serves HTTPS.
     *
     * @throws io.coil.apiserver.http.PortInUseException when another process has the port
     */
    public synchronized ApiServer start() throws IOException {
        if (front == null) {
            front = HttpsFront.open(port, certificates, tokens::verify, dispatcher::handle);
            if (collection) {
                maintenance = new Maintenance(storage);
            }
        }
        return this;
    }

    /** Where a started server is. */
    @Override
    public synchronized URI url() {
        if (front == null) {
            throw new IllegalStateException("the server was not started");
        }
        return front.url();
    }

    /** Serves one request in the caller's thread. */
    public ApiResponse handle(ApiRequest request) throws InterruptedException {
        return dispatcher.handle(request);
    }

    @Override
    public byte[] caCertificate() {
        return certificates.authorityPem().getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public String token(String user) {
        return token(user, List.of());
    }

    public String token(String user, List<String> groups) {
        return tokens.issue(Identity.of(user, groups));
    }

    @Override
    public String adminToken() {
        return tokens.issue(Identity.administrator());
    }

    @Override
    public String viewerToken() {
        return tokens.issue(Identity.viewer());
    }

    /** The text of a kubeconfig file of a started server. */
    @Override
    public String kubeconfig(String user, String token) {
        return Kubeconfig.of("local", url(), certificates.authorityPem(), user, token);
    }

    @Override
    public String adminKubeconfig() {
        return kubeconfig(Identity.administrator().name(), adminToken());
    }

    @Override
    public ApiResponse.Whole administer(String method, String path, String contentType, String body)
            throws InterruptedException {
        ApiRequest request =
                ApiRequest.of(
                        method,
                        path,
                        contentType.isEmpty() ? Map.of() : Map.of("Content-Type", contentType),
                        body,
                        Identity.administrator());
        if (dispatcher.handleUntouched(request) instanceof ApiResponse.Whole whole) {
            return whole;
        }
        throw new IllegalArgumentException(path + " is answered by a stream");
    }

    /** The stored objects, without authentication, authorization, faults and counting. */
    public Operations operations() {
        return storage.operations();
    }

    public ResourceRegistry types() {
        return storage.registry();
    }

    @Override
    public Faults faults() {
        return faults;
    }

    @Override
    public RequestLog requests() {
        return requests;
    }

    /**
     * Collects garbage once; a started server does so by itself.
     *
     * @return how many objects were changed; 0 means that there is nothing to do now
     */
    public int maintain() {
        return storage.maintain();
    }

    /** Ends all connections and watches. */
    @Override
    public synchronized void close() {
        if (maintenance != null) {
            maintenance.close();
            maintenance = null;
        }
        if (front != null) {
            front.close();
            front = null;
        }
        storage.close();
    }
}
