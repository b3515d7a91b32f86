package io.coil.kubernetes.api;

import org.jspecify.annotations.Nullable;

/** Which objects of a kind: null means no restriction. Selectors in Kubernetes' own syntax. */
public record Selection(
        @Nullable String namespace, @Nullable String labels, @Nullable String fields) {
    /** The most characters of a label's value. */
    private static final int LABEL_VALUE = 63;

    public static final Selection ALL = new Selection(null, null, null);

    /**
     * Those with that label. A server refuses to look for a value that is too long for a label;
     * nothing can carry it, so this asks for what nothing is.
     */
    public static Selection labelled(String label, String value) {
        String selector =
                value.length() <= LABEL_VALUE ? label + "=" + value : label + ",!" + label;
        return new Selection(null, selector, null);
    }

    public static Selection named(String name) {
        return new Selection(null, null, "metadata.name=" + name);
    }
}
