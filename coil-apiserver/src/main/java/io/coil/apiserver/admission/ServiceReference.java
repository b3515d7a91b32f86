package io.coil.apiserver.admission;

/**
 * A Service that a webhook configuration names instead of a URL. Where it is, only the embedder
 * knows: there is no service network here.
 *
 * @param path begins with a slash, or is empty
 */
public record ServiceReference(String namespace, String name, String path, int port) {
    /** The name that the webhook's certificate must be for. */
    String serverName() {
        return name + "." + namespace + ".svc";
    }
}
