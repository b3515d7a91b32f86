package io.coil.apiserver.store;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who reads the changes of one type, found by what they are interested in, so that a thousand
 * readers of one object each do not cost a thousand wake-ups a write. The store's lock guards it.
 */
final class Readers {
    private final Map<List<String>, Map<String, Set<ChangeFeed>>> byInterest = new HashMap<>();

    void add(ChangeFeed feed) {
        byInterest
                .computeIfAbsent(feed.interest().path(), p -> new HashMap<>())
                .computeIfAbsent(feed.interest().value(), v -> new LinkedHashSet<>())
                .add(feed);
    }

    void remove(ChangeFeed feed) {
        Map<String, Set<ChangeFeed>> byValue = byInterest.get(feed.interest().path());
        if (byValue == null) {
            return;
        }
        Set<ChangeFeed> feeds = byValue.get(feed.interest().value());
        if (feeds != null && feeds.remove(feed) && feeds.isEmpty()) {
            byValue.remove(feed.interest().value());
            if (byValue.isEmpty()) {
                byInterest.remove(feed.interest().path());
            }
        }
    }

    void tell(Change change) {
        byInterest.forEach(
                (path, byValue) -> {
                    String after = Interest.valueAt(path, change.after());
                    tell(byValue.get(after), change);
                    @Nullable StoredObject earlier = change.before();
                    if (earlier != null) {
                        String before = Interest.valueAt(path, earlier);
                        if (!before.equals(after)) {
                            tell(byValue.get(before), change);
                        }
                    }
                });
    }

    void expireAll() {
        byInterest.values().forEach(m -> m.values().forEach(s -> s.forEach(ChangeFeed::expire)));
    }

    private static void tell(@Nullable Set<ChangeFeed> feeds, Change change) {
        if (feeds != null) {
            feeds.forEach(feed -> feed.add(change));
        }
    }
}
