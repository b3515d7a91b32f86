package io.coil.admin.web;

import io.coil.admin.access.Caller;
import io.coil.admin.collect.CollectionDesk;
import io.coil.admin.collect.Order;
import io.coil.kubernetes.time.Timeline;

import org.springframework.stereotype.Component;

import java.util.Arrays;
import java.util.List;

/** Forms that start a collection. Each carries a key of its own, so sending it twice starts one. */
@Component
class Orders {
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

    /** Names as people type them: with commas or blanks between them. */
    static List<String> names(String text) {
        return Arrays.stream(text.split("[,\\s]+", -1))
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }
}
