package io.coil.controller.run;

import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenUsage;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.NodeBlockUsage;
import io.coil.kubernetes.resource.RunItem;

import java.util.List;
import java.util.Optional;

/** The agents' parts of runs, from what each says in its node's report. */
final class AgentParts {
    private final KubeApi api;
    private final ClusterView view;

    AgentParts(KubeApi api, ClusterView view) {
        this.api = api;
        this.view = view;
    }

    /** What the agent of that node says of that run, as far as the watch shows. */
    Optional<SeenUsage.Part> of(String node, String runUid) {
        SeenUsage usage = view.usage(node);
        return usage == null
                ? Optional.empty()
                : usage.parts().stream().filter(p -> p.uid().equals(runUid)).findFirst();
    }

    /**
     * The parts that are finished and that we do not have yet. The counts are in what we watch;
     * items are read as long as they are listed, so that 5,000 nodes that found nothing cost no
     * call.
     */
    void gather(String runUid, Gathered gathered) {
        for (SeenUsage usage : view.usages()) {
            if (gathered.answered().contains(usage.node())) {
                continue;
            }
            usage.parts().stream()
                    .filter(p -> p.uid().equals(runUid) && p.finished())
                    .findFirst()
                    .ifPresent(p -> take(usage.node(), p, gathered));
        }
    }

    private void take(String node, SeenUsage.Part part, Gathered gathered) {
        if (part.found() == 0 || gathered.room() == 0) {
            gathered.answer(node, part, List.of());
            return;
        }
        Optional<NodeBlockUsage> usage = api.get(Kinds.USAGES, null, node);
        List<RunItem> items =
                usage.map(NodeBlockUsage::runs).orElse(List.of()).stream()
                        .filter(r -> r.uid().equals(part.uid()))
                        .findFirst()
                        .map(Gathered::items)
                        .orElse(List.of());
        int room = gathered.room();
        gathered.answer(node, part, List.copyOf(items.subList(0, Math.min(items.size(), room))));
    }
}
