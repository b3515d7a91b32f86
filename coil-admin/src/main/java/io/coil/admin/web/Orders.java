package io.coil.admin.web;

import io.coil.admin.access.Caller;
import io.coil.admin.act.CollectionDesk;
import io.coil.admin.act.Order;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import java.util.Arrays;
import java.util.List;

/** Forms that start a collection. Each carries a key of its own, so sending it twice starts one. */
@Component
class Orders {
    private static final int LONGEST_KEY = 100;

    private final CollectionDesk desk;
    private final Timeline timeline;

    Orders(CollectionDesk desk, Timeline timeline) {
        this.desk = desk;
        this.timeline = timeline;
    }

    String newKey() {
        return Long.toHexString(timeline.random().nextLong());
    }

    String start(Caller caller, Order order) throws InterruptedException {
        return desk.start(caller, order);
    }

    /** What the form carries as its own; null if it is none that can be used. */
    static @Nullable String key(String field) {
        return field.isBlank() || field.length() > LONGEST_KEY ? null : field;
    }

    /** Names as people type them: with commas or blanks between them. */
    static List<String> names(String text) {
        return Arrays.stream(text.split("[,\\s]+", -1))
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }
}
