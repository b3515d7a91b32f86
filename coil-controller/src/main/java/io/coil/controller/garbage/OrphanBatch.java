package io.coil.controller.garbage;

import io.coil.controller.view.SeenBlock;
import io.coil.controller.work.FinalizerOff;
import io.coil.core.garbage.OrphanStep;
import io.coil.core.garbage.Orphans;
import io.coil.core.garbage.Rule;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.RunItem;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Carries out what {@link Orphans} decides, for a few blocks of one node, one call after the other:
 * read the Node live, DELETE each, read the Node live once more, take each finalizer off. So a
 * block costs at most four calls. An error stops only its block.
 */
final class OrphanBatch {
    private static final Logger LOG = LoggerFactory.getLogger(OrphanBatch.class);

    /** Few enough that the two reads of the Node stay within their 10 s on a slow server too. */
    static final int MOST = 8;

    /** What became of a block: one of the outcomes of {@link RunItem}, and why. */
    record Result(String outcome, @Nullable String message) {}

    /** Asked of the state machine under its guard. */
    interface Question {
        OrphanStep ask(Orphans orphans);
    }

    private final KubeApi api;
    private final Timeline timeline;
    private final String node;
    private final Function<Question, OrphanStep> step;

    /** By UID. */
    private final Map<String, Result> results = new LinkedHashMap<>();

    /** The blocks that are being deleted, as they are now. */
    private final Map<SeenBlock, AddressBlock> deleted = new LinkedHashMap<>();

    OrphanBatch(KubeApi api, Timeline timeline, String node, Function<Question, OrphanStep> step) {
        this.api = api;
        this.timeline = timeline;
        this.node = node;
        this.step = step;
    }

    /** One result for each block, by UID. */
    Map<String, Result> run(List<SeenBlock> blocks) {
        try {
            long sent = timeline.nanos();
            boolean exists = nodeExists();
            blocks.forEach(block -> attempt(block, () -> begin(block, exists, sent)));
            if (!deleted.isEmpty()) {
                boolean existsNow = nodeExists();
                long answered = timeline.nanos();
                deleted.forEach(
                        (block, held) ->
                                attempt(block, () -> end(block, held, existsNow, answered)));
            }
        } catch (ApiFailure e) {
            blocks.stream().filter(b -> !results.containsKey(b.uid())).forEach(b -> failed(b, e));
        }
        return results;
    }

    private void attempt(SeenBlock block, Runnable action) {
        try {
            action.run();
        } catch (ApiFailure e) {
            failed(block, e);
        }
    }

    private void begin(SeenBlock block, boolean exists, long sent) {
        OrphanStep next = step.apply(o -> o.nodeRead(OrphanBlocks.toCore(block), exists, sent));
        if (next instanceof OrphanStep.Delete) {
            delete(block);
        } else if (next instanceof OrphanStep.ReadNodeAgain) {
            readDeleted(block);
        } else {
            stopped(block, next);
        }
    }

    private void delete(SeenBlock block) {
        Optional<AddressBlock> held;
        try {
            held = api.delete(Kinds.BLOCKS, null, block.name(), block.unchanged());
        } catch (ApiFailure.Stale e) {
            if (e.notFound()) {
                gone(block, RunItem.NO_LONGER_TRUE, "gone already");
                return;
            }
            throw e;
        }
        OrphanStep next = step.apply(o -> o.deleted(block.uid()));
        if (held.isEmpty()) {
            collected(block);
        } else if (next instanceof OrphanStep.ReadNodeAgain) {
            deleted.put(block, held.get());
        } else {
            stopped(block, next);
        }
    }

    /** Somebody deleted it, or we did and died: the finalizer is off by the version of now. */
    private void readDeleted(SeenBlock block) {
        Optional<AddressBlock> read = api.get(Kinds.BLOCKS, null, block.name());
        if (read.isPresent() && Meta.uid(read.get().metadata()).equals(block.uid())) {
            deleted.put(block, read.get());
        } else {
            gone(block, RunItem.NO_LONGER_TRUE, "gone already");
        }
    }

    private void end(SeenBlock block, AddressBlock held, boolean exists, long answered) {
        OrphanStep next = step.apply(o -> o.nodeReadAgain(block.uid(), exists, answered));
        if (next instanceof OrphanStep.TakeFinalizer) {
            FinalizerOff.of(api, Kinds.BLOCKS, held);
            collected(block);
        } else {
            stopped(block, next);
        }
    }

    private boolean nodeExists() {
        return api.get(Kinds.NODES, null, node).isPresent();
    }

    private void collected(SeenBlock block) {
        gone(block, RunItem.DONE, null);
        LOG.atInfo()
                .addKeyValue("block", block.name())
                .addKeyValue("node", node)
                .addKeyValue("rule", Rule.ORPHAN_BLOCK.text())
                .log("block collected");
    }

    private void gone(SeenBlock block, String outcome, @Nullable String message) {
        OrphanStep _ =
                step.apply(
                        o -> {
                            o.forget(block.uid());
                            return new OrphanStep.LeaveToAgent();
                        });
        results.put(block.uid(), new Result(outcome, message));
    }

    private void stopped(SeenBlock block, OrphanStep last) {
        results.put(
                block.uid(),
                last instanceof OrphanStep.LeaveToAgent
                        ? new Result(RunItem.NO_LONGER_TRUE, "node " + node + " is back")
                        : new Result(RunItem.FAILED, "took too long, begins again"));
    }

    private void failed(SeenBlock block, ApiFailure e) {
        LOG.atWarn()
                .addKeyValue("block", block.name())
                .addKeyValue("node", node)
                .addKeyValue("why", e.getMessage())
                .log("block could not be collected, trying again");
        results.put(block.uid(), new Result(RunItem.FAILED, e.getMessage()));
    }
}
