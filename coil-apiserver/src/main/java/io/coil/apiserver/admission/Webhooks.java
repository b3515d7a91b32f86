package io.coil.apiserver.admission;

import io.coil.apiserver.resource.TypeKey;
import io.coil.apiserver.store.Change;
import io.coil.apiserver.store.CommitListener;

import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The webhooks that are configured at this moment, in the order of their configurations' names. */
public final class Webhooks implements CommitListener {
    private static final String GROUP = "admissionregistration.k8s.io";
    private static final TypeKey MUTATING = new TypeKey(GROUP, "mutatingwebhookconfigurations");
    private static final TypeKey VALIDATING = new TypeKey(GROUP, "validatingwebhookconfigurations");

    // changed under the store's lock, each an image that is swapped as a whole
    private volatile NavigableMap<String, List<Webhook>> mutating = new TreeMap<>();
    private volatile NavigableMap<String, List<Webhook>> validating = new TreeMap<>();

    @Override
    public void committed(Change change) {
        TypeKey type = change.after().type();
        if (type.equals(MUTATING)) {
            mutating = changed(mutating, change);
        } else if (type.equals(VALIDATING)) {
            validating = changed(validating, change);
        }
    }

    List<Webhook> mutating() {
        return mutating.values().stream().flatMap(List::stream).toList();
    }

    List<Webhook> validating() {
        return validating.values().stream().flatMap(List::stream).toList();
    }

    /** Quick, because every write asks. */
    boolean none() {
        return mutating.isEmpty() && validating.isEmpty();
    }

    static boolean isConfiguration(TypeKey type) {
        return type.equals(MUTATING) || type.equals(VALIDATING);
    }

    private static NavigableMap<String, List<Webhook>> changed(
            NavigableMap<String, List<Webhook>> before, Change change) {
        NavigableMap<String, List<Webhook>> after = new TreeMap<>(before);
        if (change.deleted()) {
            after.remove(change.after().name());
        } else {
            after.put(change.after().name(), Webhook.of(change.after().tree()));
        }
        return after;
    }
}
