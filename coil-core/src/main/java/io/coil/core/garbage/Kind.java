package io.coil.core.garbage;

import java.util.Optional;

/** What sort of thing an item is; its text is the Kubernetes kind where there is one. */
public enum Kind {
    BLOCK("AddressBlock"),
    REQUEST("BlockRequest"),
    RUN("GarbageCollection"),
    NODE("Node"),
    /** The name of the item is the address, its UID the container's id. */
    ADDRESS("Address"),
    /** The name of the item is the destination. */
    ROUTE("Route");

    private final String text;

    Kind(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    /** Reads {@link #text()}; empty for what a later version may say. */
    public static Optional<Kind> parse(String text) {
        for (Kind kind : values()) {
            if (kind.text.equals(text)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }
}
