package io.coil.kubernetes.api;

import org.jspecify.annotations.Nullable;

/** Which objects of a kind: null means no restriction. Selectors in Kubernetes' own syntax. */
public record Selection(
        @Nullable String namespace, @Nullable String labels, @Nullable String fields) {
    public static final Selection ALL = new Selection(null, null, null);

    public static Selection labelled(String label, String value) {
        return new Selection(null, label + "=" + value, null);
    }

    public static Selection named(String name) {
        return new Selection(null, null, "metadata.name=" + name);
    }
}
