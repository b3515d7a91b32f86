package io.coil.apiserver;

import io.coil.apiserver.fault.Faults;
import io.coil.apiserver.http.ApiResponse;
import io.coil.apiserver.rest.RequestLog;

import java.net.URI;

/** An API server as a test or a sandbox needs it, whatever program it is. */
public interface ApiEndpoint extends AutoCloseable {
    /** Where clients reach it. */
    URI url();

    /** The certificate (PEM) by which clients know it. */
    byte[] caCertificate();

    /** A token for a user without groups, or for a service account by its full name. */
    String token(String user);

    String adminToken();

    String viewerToken();

    /** The text of a kubeconfig file. */
    String kubeconfig(String user, String token);

    String adminKubeconfig();

    /** What goes wrong with calls to {@link #url()}. */
    Faults faults();

    /** The calls to {@link #url()}. */
    RequestLog requests();

    /**
     * One call of the administrator's, spared by faults and not counted.
     *
     * @param contentType of the body; empty if there is none
     */
    ApiResponse.Whole administer(String method, String path, String contentType, String body)
            throws InterruptedException;

    @Override
    void close();
}
