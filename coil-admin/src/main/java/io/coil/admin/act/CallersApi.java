package io.coil.admin.act;

import io.coil.kubernetes.api.KubeApi;

import java.util.function.Consumer;

/** Access to the API in the name of a token's owner. */
@FunctionalInterface
public interface CallersApi {

    /**
     * To be closed by whoever asked for it, if it is {@link AutoCloseable}.
     *
     * @param warnings is given what the API warns of
     */
    KubeApi of(String token, Consumer<String> warnings);
}
