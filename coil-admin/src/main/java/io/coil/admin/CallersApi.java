package io.coil.admin;

import io.coil.kubernetes.api.KubeApi;

import java.util.function.Function;

/** Access to the API in the name of a token's owner. */
record CallersApi(Function<String, KubeApi> of) {}
