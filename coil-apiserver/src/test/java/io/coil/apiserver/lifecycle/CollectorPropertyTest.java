package io.coil.apiserver.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.lifecycle.Operations.Propagation;
import io.coil.apiserver.resource.TypeKey;
import io.coil.apiserver.store.ObjectKey;
import io.coil.apiserver.store.StoredObject;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

class CollectorPropertyTest {
    /** One step: make object {@code a} owned by {@code b} and {@code c}, or delete it. */
    record Act(int a, int b, int c, int kind) {}

    /**
     * Whatever was made and deleted, with rounds at any time in between: in the end there is
     * nothing left that lost all of its owners, nothing is half deleted, and what never had an
     * owner and was not deleted is there.
     */
    @Property(tries = 200)
    void inTheEndNothingIsLeftBehindAndNothingElseIsTaken(
            @ForAll @Size(max = 40)
                    List<@IntRange(min = 0, max = 6 * 6 * 6 * 6 - 1) Integer> acts) {
        TestServer server = new TestServer();
        Map<String, Boolean> free = new HashMap<>();
        for (int code : acts) {
            Act act = new Act(code % 6, code / 6 % 6, code / 36 % 6, code / 216);
            apply(server, act, free);
        }

        int rounds = server.storage.collector().collectAll(50);

        assertThat(rounds).isNotNegative();
        assertThat(server.storage.collector().collectGarbage()).isZero();
        List<StoredObject> left =
                server.storage.store().snapshot(TypeKey.of(server.widgets()), null).objects();
        Set<String> uids = left.stream().map(StoredObject::uid).collect(Collectors.toSet());
        for (StoredObject object : left) {
            assertThat(object.deleting()).as(object.name()).isFalse();
            assertThat(uids).as("owners of %s", object.name()).containsAll(object.owners());
        }
        free.forEach(
                (name, isFree) -> {
                    if (isFree) {
                        assertThat(left).extracting(StoredObject::name).contains(name);
                    }
                });
    }

    private static void apply(TestServer server, Act act, Map<String, Boolean> free) {
        String name = "w" + act.a();
        @Nullable StoredObject there = stored(server, name);
        switch (act.kind()) {
            case 0, 1, 2 -> {
                if (there == null) {
                    make(server, name, act);
                    free.put(name, owners(server, name).isEmpty());
                }
            }
            case 3 -> delete(server, there, null, free);
            case 4 ->
                    delete(
                            server,
                            there,
                            act.b() % 2 == 0 ? Propagation.FOREGROUND : Propagation.BACKGROUND,
                            free);
            default -> server.storage.collector().collectGarbage();
        }
    }

    private static void make(TestServer server, String name, Act act) {
        ObjectNode body =
                TestServer.yaml("{metadata: {name: %s}, spec: {size: 1}}".formatted(name));
        for (int owner : Set.of(act.b(), act.c() + 6)) {
            @Nullable StoredObject found = stored(server, "w" + owner % 6);
            if (found != null) {
                body.withObject("metadata")
                        .withArray("ownerReferences")
                        .addObject()
                        .put("apiVersion", "example.io/v1")
                        .put("kind", "Widget")
                        .put("name", found.name())
                        .put("uid", found.uid())
                        .put("blockOwnerDeletion", act.c() % 2 == 0);
            }
        }
        server.operations.create(server.widgets(), null, body, server.write());
    }

    private static void delete(
            TestServer server,
            @Nullable StoredObject there,
            @Nullable Propagation propagation,
            Map<String, Boolean> free) {
        if (there != null) {
            server.operations.delete(
                    server.widgets(),
                    null,
                    there.name(),
                    server.delete(null, null, null, propagation));
            free.put(there.name(), false);
        }
    }

    private static List<String> owners(TestServer server, String name) {
        @Nullable StoredObject found = stored(server, name);
        return found == null ? List.of() : found.owners();
    }

    private static @Nullable StoredObject stored(TestServer server, String name) {
        return server.storage.store().get(TypeKey.of(server.widgets()), ObjectKey.of(null, name));
    }
}
