package io.coil.admin.snapshot;

import io.coil.core.pool.CollectionMode;
import io.coil.kubernetes.resource.NodeBlockUsage;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Nodes, and how their agents are. The age of an unchanged report says nothing about an agent. */
final class Agents {
    private final Observed seen;
    private final Rules rules;
    private final Map<String, Observed.Pod> podByNode = new HashMap<>();
    private final Set<String> didNotAnswer = new HashSet<>();

    Agents(Observed seen, Rules rules, Collection<RunView> newestFirst) {
        this.seen = seen;
        this.rules = rules;
        for (Observed.Pod pod : seen.pods()) {
            if (pod.agent() && pod.node() != null) {
                podByNode.merge(pod.node(), pod, (a, b) -> a.ready() ? a : b);
            }
        }
        Set<String> judged = new HashSet<>();
        for (RunView run : newestFirst) {
            if (run.over()) {
                for (String node : run.expected()) {
                    if (judged.add(node) && run.unanswered().contains(node)) {
                        didNotAnswer.add(node);
                    }
                }
            }
        }
    }

    NodeView view(
            String name,
            Observed.@Nullable Node node,
            @Nullable NodeBlockUsage usage,
            List<BlockView> blocks) {
        Share total = Share.NONE;
        Map<String, Share> pools = new TreeMap<>();
        for (BlockView block : blocks) {
            total = total.plus(block);
            pools.merge(block.pool(), Share.NONE.plus(block), (all, one) -> all.plus(block));
        }
        NodeBlockUsage.Report report = usage == null ? null : usage.report();
        Judgement agent = judge(name, node, report);
        CollectionMode own = node == null ? null : node.mode();
        return new NodeView(
                name,
                node == null ? null : node.uid(),
                node != null && node.ready(),
                node == null ? null : node.readySince(),
                node == null ? List.of() : node.addresses(),
                agent.state(),
                agent.since(),
                report == null ? null : report.agentVersion(),
                report == null ? null : Times.instant(report.agentStarted()),
                report == null ? null : Times.instant(report.time()),
                mode(rules, node, report),
                own,
                node == null ? null : node.collectionBy(),
                List.copyOf(blocks),
                pools,
                total,
                List.of(),
                usage == null || usage.runs() == null ? List.of() : List.copyOf(usage.runs()));
    }

    /** Of all, of the node's annotation, and what its agent says is in force. */
    static CollectionMode mode(
            Rules rules, Observed.@Nullable Node node, NodeBlockUsage.@Nullable Report report) {
        String reported = report == null ? null : report.collection();
        return CollectionMode.strictest(
                rules.collection(),
                node == null || node.mode() == null ? CollectionMode.ON : node.mode(),
                reported == null
                        ? CollectionMode.ON
                        : CollectionMode.parse(reported).orElse(CollectionMode.ON));
    }

    private record Judgement(AgentState state, @Nullable Instant since) {}

    private Judgement judge(
            String name, Observed.@Nullable Node node, NodeBlockUsage.@Nullable Report report) {
        if (node == null) {
            return new Judgement(AgentState.NODE_GONE, null);
        }
        if (!node.ready()) {
            return new Judgement(AgentState.NODE_NOT_READY, node.readySince());
        }
        Observed.Pod pod = podByNode.get(name);
        if (pod == null ? missingForLong(node) : notReadyForLong(pod)) {
            return new Judgement(AgentState.SILENT, pod == null ? null : pod.readySince());
        }
        if (didNotAnswer.contains(name)) {
            return new Judgement(AgentState.SILENT, null);
        }
        return report == null
                ? new Judgement(AgentState.NO_REPORT, null)
                : new Judgement(AgentState.REPORTING, Times.instant(report.time()));
    }

    private boolean missingForLong(Observed.Node node) {
        return seen.watching().compareTo(rules.silentAfter()) > 0
                && node.created() != null
                && node.created().plus(rules.silentAfter()).isBefore(seen.now());
    }

    private boolean notReadyForLong(Observed.Pod pod) {
        return !pod.ready()
                && pod.readySince() != null
                && pod.readySince().plus(rules.silentAfter()).isBefore(seen.now());
    }
}
