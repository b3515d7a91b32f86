package io.coil.admin.act;

import io.coil.admin.access.Caller;
import io.coil.admin.problem.Problem;
import io.coil.admin.snapshot.BlockState;
import io.coil.admin.snapshot.BlockView;
import io.coil.admin.snapshot.Snapshot;
import io.coil.core.pool.CollectionMode;
import io.coil.kubernetes.resource.Names;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

import java.util.List;
import java.util.Optional;

/**
 * Gives one block back: a collection that names it, and acts. The last word has the node's agent,
 * which knows what is in use; here the caller is told at once what it would say.
 */
public final class ReturnDesk {
    private final Changes changes;
    private final CollectionDesk collections;

    public ReturnDesk(Changes changes, CollectionDesk collections) {
        this.changes = changes;
        this.collections = collections;
    }

    /**
     * @param uid of the block that the caller has seen; null: whichever has that name
     * @param key the same key twice is the same order; null: each is a new one
     */
    public Done giveBack(
            Caller caller, String name, @Nullable String uid, String reason, @Nullable String key)
            throws InterruptedException {
        Order order = new Order(List.of(), List.of(), List.of(name), false, null, reason, key);
        return changes.noted(
                new Asked(caller, "return", "block", name, reason),
                warnings -> {
                    Snapshot snapshot = changes.fresh();
                    String begun = collections.begun(caller, order);
                    if (begun != null) {
                        return started(name, begun);
                    }
                    Optional<BlockView> block = snapshot.block(name);
                    if (block.isEmpty() || other(block.get(), uid)) {
                        return Missing.block(name, uid, snapshot);
                    }
                    check(block.get(), snapshot);
                    return started(name, collections.begin(caller, order, warnings));
                });
    }

    private static boolean other(BlockView block, @Nullable String uid) {
        return uid != null && !uid.equals(block.uid());
    }

    private static Done started(String block, String run) {
        return new Done(
                Done.State.GOING,
                "Collection %s gives %s back, if it is still empty; its page says what came of it."
                        .formatted(run, block),
                run,
                List.of());
    }

    private static void check(BlockView block, Snapshot snapshot) {
        if (block.state() == BlockState.RESERVED) {
            throw no(
                    "Block %s is reserved".formatted(block.name()),
                    "Nothing collects it while it has the label %s.".formatted(Names.RESERVED));
        }
        if (block.state() == BlockState.UNHELD) {
            throw no(
                    "Block %s names no node".formatted(block.name()),
                    "No agent has it, so none can give it back. If nobody uses it, delete it with kubectl.");
        }
        if (block.state() == BlockState.DEAD) {
            throw no(
                    "Node %s is not ready".formatted(block.node()),
                    "Its agent cannot give the block back. Bring the node back, or release the block by force if the machine is off.");
        }
        if (!block.empty()) {
            throw no(
                    "Block %s is in use".formatted(block.name()),
                    "%s. To empty it, drain it and restart these pods."
                            .formatted(Users.of(block, snapshot)));
        }
        if (block.mode() == CollectionMode.OFF) {
            throw no(
                    "Collection is off here",
                    "It is off for everything, for pool %s or for node %s; then nothing is collected, on demand neither. Switch it to on or manual first."
                            .formatted(block.pool(), block.node()));
        }
    }

    private static RuntimeException no(String title, String why) {
        return Problem.of(HttpStatus.CONFLICT, title, why + " Nothing has been done.").thrown();
    }
}
