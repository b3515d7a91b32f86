package io.coil.controller.view;

import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.NodeBlockUsage;
import io.coil.kubernetes.resource.RunItem;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What an agent said of its node, without the maps of addresses and without the items of runs.
 *
 * @param blocks by name
 */
public record SeenUsage(String node, Map<String, Used> blocks, List<Part> parts) {

    /**
     * One block of that node.
     *
     * @param used addresses given to containers
     * @param leak empty, and neither kept on purpose nor on its way back
     */
    public record Used(@Nullable String uid, long used, boolean leak, boolean leaving) {}

    /**
     * The agent's part of a run; the items are read when they are wanted.
     *
     * @param kept of the items that it lists
     */
    public record Part(
            String run,
            String uid,
            boolean finished,
            long found,
            long done,
            long failed,
            long kept) {

        static Part of(NodeBlockUsage.Run part) {
            List<RunItem> items = part.items() == null ? List.of() : part.items();
            return new Part(
                    part.run(),
                    part.uid(),
                    part.state().equals(NodeBlockUsage.Run.FINISHED),
                    part.found(),
                    part.done(),
                    part.failed(),
                    items.stream().filter(i -> i.outcome().equals(RunItem.KEPT)).count());
        }
    }

    public static SeenUsage of(NodeBlockUsage usage) {
        Map<String, Used> blocks = new HashMap<>();
        if (usage.report() != null && usage.report().blocks() != null) {
            for (NodeBlockUsage.Block block : usage.report().blocks()) {
                boolean leaving =
                        block.state().equals("returning") || block.state().equals("drained");
                boolean leak = block.used() == 0 && block.state().equals("serving");
                blocks.put(block.name(), new Used(block.uid(), block.used(), leak, leaving));
            }
        }
        List<Part> parts =
                usage.runs() == null ? List.of() : usage.runs().stream().map(Part::of).toList();
        return new SeenUsage(Meta.name(usage.metadata()), Map.copyOf(blocks), parts);
    }
}
