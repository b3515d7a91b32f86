package io.coil.controller.web;

import io.coil.controller.Controller;
import io.coil.controller.view.SeenRun;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.stereotype.Component;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** {@code /actuator/collections}: collections on demand as this replica sees them. */
@Component
@Endpoint(id = "collections")
public final class CollectionsEndpoint {
    private final Controller controller;

    public CollectionsEndpoint(Controller controller) {
        this.controller = controller;
    }

    record Descriptor(boolean leading, List<Collection> collections) {}

    record Collection(String name, boolean dryRun, boolean open, @Nullable Instant finished) {

        static Collection of(SeenRun run) {
            return new Collection(run.name(), run.dryRun(), run.open(), run.finished());
        }
    }

    @ReadOperation
    public Descriptor collections() {
        return new Descriptor(
                controller.isGranting(),
                controller.view().runs().stream()
                        .map(Collection::of)
                        .sorted(Comparator.comparing(Collection::name))
                        .toList());
    }
}
