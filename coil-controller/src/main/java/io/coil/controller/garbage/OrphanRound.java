package io.coil.controller.garbage;

import io.coil.controller.view.SeenBlock;
import io.coil.controller.work.Beside;
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
import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Carries out what {@link Orphans} decides, for blocks of one node: read the Node live, DELETE,
 * read the Node live once more, finalizer. An error stops only its block.
 */
public final class OrphanRound {
    private static final Logger LOG = LoggerFactory.getLogger(OrphanRound.class);

    /** Few enough that the two reads of the Node stay within their 10 s. */
    private static final int BATCH = 64;

    private final KubeApi api;
    private final Timeline timeline;
    private final MeterRegistry meters;

    public OrphanRound(KubeApi api, Timeline timeline, MeterRegistry meters) {
        this.api = api;
        this.timeline = timeline;
        this.meters = meters;
    }

    /** Asked of the state machine under its guard. */
    interface Question {
        OrphanStep ask(Orphans orphans);
    }

    /** Outcome by UID; an item carries only outcome and message that count. */
    Map<String, RunItem> collect(
            String node, List<SeenBlock> blocks, int tasks, Function<Question, OrphanStep> step)
            throws InterruptedException {
        Map<String, RunItem> outcomes = new ConcurrentHashMap<>();
        for (int from = 0; from < blocks.size(); from += BATCH) {
            List<SeenBlock> batch = blocks.subList(from, Math.min(blocks.size(), from + BATCH));
            new Batch(node, tasks, step, outcomes).run(batch);
        }
        return outcomes;
    }

    private final class Batch {
        private final String node;
        private final int tasks;
        private final Function<Question, OrphanStep> step;
        private final Map<String, RunItem> outcomes;

        /** What is to be done next with each block. */
        private final Map<SeenBlock, OrphanStep> next = new ConcurrentHashMap<>();

        Batch(
                String node,
                int tasks,
                Function<Question, OrphanStep> step,
                Map<String, RunItem> outcomes) {
            this.node = node;
            this.tasks = tasks;
            this.step = step;
            this.outcomes = outcomes;
        }

        void run(List<SeenBlock> blocks) throws InterruptedException {
            try {
                long sent = timeline.nanos();
                boolean exists = nodeExists();
                for (SeenBlock block : blocks) {
                    go(block, o -> o.nodeRead(OrphanBlocks.toCore(block), exists, sent));
                }
                each(blocks, OrphanStep.Delete.class, this::delete);
                boolean existsNow = nodeExists();
                for (SeenBlock block : blocks) {
                    if (next.get(block) instanceof OrphanStep.ReadNodeAgain) {
                        long now = timeline.nanos();
                        go(block, o -> o.nodeReadAgain(block.uid(), existsNow, now));
                    }
                }
                each(blocks, OrphanStep.TakeFinalizer.class, this::takeFinalizer);
            } catch (ApiFailure e) {
                blocks.forEach(b -> failed(b, e));
            }
            for (SeenBlock block : blocks) {
                OrphanStep last = next.get(block);
                if (last instanceof OrphanStep.LeaveToAgent) {
                    outcome(block, RunItem.NO_LONGER_TRUE, "node " + node + " is back");
                } else if (last instanceof OrphanStep.BeginAgain) {
                    outcome(block, RunItem.FAILED, "took too long, begins again");
                }
            }
        }

        private void go(SeenBlock block, Question question) {
            next.put(block, step.apply(question));
        }

        private void each(
                List<SeenBlock> blocks,
                Class<? extends OrphanStep> which,
                Consumer<SeenBlock> action)
                throws InterruptedException {
            List<SeenBlock> chosen =
                    blocks.stream().filter(b -> which.isInstance(next.get(b))).toList();
            Beside.each(
                    timeline,
                    "orphans of " + node,
                    tasks,
                    chosen,
                    block -> {
                        try {
                            action.accept(block);
                        } catch (ApiFailure e) {
                            failed(block, e);
                        }
                    });
        }

        private void delete(SeenBlock block) {
            next.remove(block);
            try {
                api.delete(Kinds.BLOCKS, null, block.name(), block.unchanged());
            } catch (ApiFailure.Stale e) {
                if (e.notFound()) {
                    gone(block, RunItem.NO_LONGER_TRUE);
                    return;
                }
                throw e;
            }
            go(block, o -> o.deleted(block.uid()));
        }

        private void takeFinalizer(SeenBlock block) {
            next.remove(block);
            Optional<AddressBlock> read = api.get(Kinds.BLOCKS, null, block.name());
            if (read.isPresent() && Meta.uid(read.get().metadata()).equals(block.uid())) {
                FinalizerOff.of(api, Kinds.BLOCKS, read.get());
            }
            gone(block, RunItem.DONE);
            LOG.atInfo()
                    .addKeyValue("block", block.name())
                    .addKeyValue("node", node)
                    .addKeyValue("rule", Rule.ORPHAN_BLOCK.text())
                    .log("block collected");
        }

        private void gone(SeenBlock block, String how) {
            OrphanStep _ =
                    step.apply(
                            o -> {
                                o.forget(block.uid());
                                return new OrphanStep.LeaveToAgent();
                            });
            outcome(block, how, null);
        }

        private void failed(SeenBlock block, ApiFailure e) {
            next.remove(block);
            LOG.atWarn()
                    .addKeyValue("block", block.name())
                    .addKeyValue("node", node)
                    .addKeyValue("why", e.getMessage())
                    .log("block could not be collected, trying again");
            outcome(block, RunItem.FAILED, e.getMessage());
        }

        private boolean nodeExists() {
            return api.get(Kinds.NODES, null, node).isPresent();
        }

        private void outcome(SeenBlock block, String outcome, @Nullable String message) {
            RunItem item =
                    new RunItem(
                            Rule.ORPHAN_BLOCK.text(),
                            "Block",
                            block.name(),
                            block.uid(),
                            block.name(),
                            block.pool(),
                            block.node(),
                            null,
                            0,
                            outcome,
                            message);
            if (outcomes.put(block.uid(), item) == null) {
                meters.counter(
                                "coil.controller.collected",
                                "rule",
                                Rule.ORPHAN_BLOCK.text(),
                                "outcome",
                                outcome)
                        .increment();
            }
        }
    }
}
