package io.coil.apiserver.lifecycle;

import io.coil.apiserver.store.Change;
import io.coil.apiserver.store.CommitListener;
import io.coil.apiserver.store.StoredObject;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who owns whom at this moment, and which objects have to be looked at again because of what was
 * written since the last look; so that a round of collection costs what has changed, not what is
 * there.
 */
final class Ownership implements CommitListener {
    // guarded by this
    private final Map<String, StoredObject> byUid = new HashMap<>();
    private final Map<String, Set<String>> dependants = new HashMap<>();
    private final Set<String> due = new LinkedHashSet<>();

    @Override
    public synchronized void committed(Change change) {
        @Nullable StoredObject before = change.before();
        StoredObject after = change.after();
        if (before != null) {
            for (String owner : before.owners()) {
                forget(owner, before.uid());
                due.add(owner);
            }
        }
        if (change.deleted()) {
            byUid.remove(after.uid());
            due.addAll(dependants.getOrDefault(after.uid(), Set.of()));
            return;
        }
        byUid.put(after.uid(), after);
        for (String owner : after.owners()) {
            dependants.computeIfAbsent(owner, o -> new LinkedHashSet<>()).add(after.uid());
            due.add(owner);
        }
        if (!after.owners().isEmpty()) {
            due.add(after.uid());
        }
        if (after.deleting()) {
            due.add(after.uid());
            due.addAll(dependants.getOrDefault(after.uid(), Set.of()));
        }
    }

    private void forget(String owner, String dependant) {
        Set<String> all = dependants.get(owner);
        if (all != null && all.remove(dependant) && all.isEmpty()) {
            dependants.remove(owner);
        }
    }

    /** Takes what is due; it is due again only when it changes, or when {@link #again} says so. */
    synchronized List<StoredObject> takeDue() {
        List<StoredObject> taken = new ArrayList<>();
        for (String uid : due) {
            @Nullable StoredObject object = byUid.get(uid);
            if (object != null) {
                taken.add(object);
            }
        }
        due.clear();
        return taken;
    }

    synchronized void again(StoredObject object) {
        due.add(object.uid());
    }

    synchronized @Nullable StoredObject get(String uid) {
        return byUid.get(uid);
    }

    /** Those that the owner really owns: a namespaced one owns only in its namespace. */
    synchronized List<StoredObject> dependantsOf(StoredObject owner) {
        List<StoredObject> found = new ArrayList<>();
        for (String uid : dependants.getOrDefault(owner.uid(), Set.of())) {
            @Nullable StoredObject dependant = byUid.get(uid);
            if (dependant != null && owns(owner, dependant)) {
                found.add(dependant);
            }
        }
        return found;
    }

    static boolean owns(StoredObject owner, StoredObject dependant) {
        return owner.namespace().isEmpty() || owner.namespace().equals(dependant.namespace());
    }
}
