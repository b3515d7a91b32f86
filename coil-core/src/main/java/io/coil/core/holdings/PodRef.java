package io.coil.core.holdings;

/** A pod by name; its namespace and name may be taken again by another pod later. */
public record PodRef(String namespace, String name) {
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
