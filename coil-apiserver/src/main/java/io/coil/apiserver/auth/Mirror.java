package io.coil.apiserver.auth;

import io.coil.apiserver.lifecycle.Operations;
import io.coil.apiserver.lifecycle.Operations.Watch;
import io.coil.apiserver.lifecycle.Operations.WatchEvent;
import io.coil.apiserver.lifecycle.Operations.WatchQuery;
import io.coil.apiserver.resource.ResourceType;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** All objects of one type, kept up to date whenever it is asked. Not for concurrent use. */
final class Mirror {
    private final Operations operations;
    private final ResourceType type;
    private final Map<String, JsonNode> objects = new LinkedHashMap<>();
    private @Nullable Watch watch;

    Mirror(Operations operations, ResourceType type) {
        this.operations = operations;
        this.type = type;
    }

    Collection<JsonNode> objects() {
        return objects.values();
    }

    /** Takes over what was written since; true if that changed anything. */
    boolean refresh() {
        boolean changed = false;
        while (true) {
            if (watch == null) {
                objects.clear();
                watch =
                        operations.watch(
                                type, null, new WatchQuery(null, null, null, false, false));
                changed = true;
            }
            WatchEvent event;
            try {
                event = watch.next(Duration.ZERO);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return changed;
            }
            if (event == null) {
                return changed;
            }
            changed = true;
            apply(event, watch);
        }
    }

    private void apply(WatchEvent event, Watch current) {
        JsonNode metadata = event.object().path("metadata");
        String key =
                metadata.path("namespace").asString("") + "/" + metadata.path("name").asString("");
        switch (event.type()) {
            case "ADDED", "MODIFIED" -> objects.put(key, event.object());
            case "DELETED" -> objects.remove(key);
            case "ERROR" -> {
                current.close();
                watch = null;
            }
            default -> {}
        }
    }
}
