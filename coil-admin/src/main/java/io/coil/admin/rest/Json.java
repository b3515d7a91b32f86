package io.coil.admin.rest;

import io.coil.admin.snapshot.BlockView;
import io.coil.admin.snapshot.Finding;
import io.coil.admin.snapshot.NodeView;
import io.coil.admin.snapshot.Observed;
import io.coil.admin.snapshot.PoolView;
import io.coil.admin.snapshot.RequestView;
import io.coil.admin.snapshot.RunView;
import io.coil.admin.snapshot.Share;
import io.coil.admin.snapshot.Tone;
import io.coil.kubernetes.resource.RunItem;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What is sent. One record for each kind of thing; a field that is null says "not known". */
final class Json {
    private Json() {}

    /** Blocks held, and the addresses in them. */
    record Held(int blocks, int empty, int candidates, long used, BigInteger capacity) {
        static Held of(Share share) {
            return new Held(
                    share.blocks(),
                    share.empty(),
                    share.candidates(),
                    share.used(),
                    share.capacity());
        }
    }

    record Agent(
            String state,
            @Nullable Instant since,
            @Nullable String version,
            @Nullable Instant started,
            @Nullable Instant reported) {}

    record Node(
            String name,
            @Nullable String uid,
            boolean ready,
            List<String> addresses,
            Agent agent,
            String collection,
            Held total,
            Map<String, Held> pools,
            List<String> findings) {

        static Node of(NodeView node) {
            Map<String, Held> pools = new TreeMap<>();
            node.pools().forEach((name, share) -> pools.put(name, Held.of(share)));
            return new Node(
                    node.name(),
                    node.uid(),
                    node.ready(),
                    node.addresses(),
                    new Agent(
                            node.agent().word(),
                            node.agentSince(),
                            node.agentVersion(),
                            node.agentStarted(),
                            node.reported()),
                    node.mode().text(),
                    Held.of(node.total()),
                    pools,
                    node.findings().stream().map(Finding::rule).distinct().toList());
        }
    }

    record NodeInFull(Node node, List<Block> blocks, List<NodeRun> collections) {
        static NodeInFull of(NodeView node) {
            return new NodeInFull(
                    Node.of(node),
                    node.blocks().stream().map(Block::of).toList(),
                    node.runs().stream()
                            .map(
                                    r ->
                                            new NodeRun(
                                                    r.run(),
                                                    r.state(),
                                                    r.found(),
                                                    r.done(),
                                                    r.failed()))
                            .toList());
        }
    }

    record NodeRun(String name, String state, long found, long done, long failed) {}

    record Blocks(BigInteger total, int granted, BigInteger free, Map<String, Integer> byState) {}

    record Addresses(BigInteger total, long used, BigInteger free) {}

    record Pool(
            String name,
            String uid,
            String state,
            @Nullable String problem,
            int blockSizeBits,
            List<String> subnets,
            Blocks blocks,
            Addresses addresses,
            int candidates,
            String collection,
            int spareBlocks,
            List<String> namespaces,
            @Nullable Instant deleting,
            List<String> findings) {

        static Pool of(PoolView pool) {
            Map<String, Integer> states = new TreeMap<>();
            pool.states().forEach((state, count) -> states.put(state.label(), count));
            return new Pool(
                    pool.name(),
                    pool.uid(),
                    pool.state().word(),
                    pool.problem(),
                    pool.blockSizeBits(),
                    pool.subnets(),
                    new Blocks(pool.blocksTotal(), pool.blocks().size(), pool.blocksFree(), states),
                    new Addresses(pool.addressesTotal(), pool.total().used(), pool.addressesFree()),
                    pool.total().candidates(),
                    pool.mode().text(),
                    pool.spareBlocks(),
                    pool.namespaces(),
                    pool.deleting(),
                    pool.findings().stream().map(Finding::rule).distinct().toList());
        }
    }

    record PoolInFull(Pool pool, Map<String, Held> nodes) {
        static PoolInFull of(PoolView pool, Map<String, NodeView> nodes) {
            Map<String, Held> held = new TreeMap<>();
            for (NodeView node : nodes.values()) {
                if (node.pools().containsKey(pool.name())) {
                    held.put(node.name(), Held.of(node.of(pool.name())));
                }
            }
            return new PoolInFull(Pool.of(pool), held);
        }
    }

    record Block(
            String name,
            String uid,
            String pool,
            @Nullable String node,
            int index,
            List<String> ranges,
            String state,
            boolean candidate,
            BigInteger capacity,
            long used,
            String usedFrom,
            @Nullable String bitmap,
            @Nullable Instant emptySince,
            @Nullable Instant granted,
            @Nullable String request,
            @Nullable Instant deleting,
            String collection) {

        static Block of(BlockView block) {
            return new Block(
                    block.name(),
                    block.uid(),
                    block.pool(),
                    block.node(),
                    block.index(),
                    block.ranges(),
                    block.state().label(),
                    block.state().candidate(),
                    block.capacity(),
                    block.used(),
                    block.usedFrom().name().toLowerCase(Locale.ROOT),
                    block.bitmap(),
                    block.emptySince(),
                    block.granted(),
                    block.request(),
                    block.deleting(),
                    block.mode().text());
        }
    }

    record Request(
            String name,
            String uid,
            String node,
            String pool,
            String state,
            @Nullable String block,
            @Nullable String message,
            @Nullable Instant created,
            @Nullable Instant answered) {

        static Request of(RequestView request) {
            return new Request(
                    request.name(),
                    request.uid(),
                    request.node(),
                    request.pool(),
                    request.state().word(),
                    request.block(),
                    request.message(),
                    request.created(),
                    request.answered());
        }
    }

    record Found(
            String rule,
            Tone severity,
            String kind,
            String name,
            @Nullable String node,
            @Nullable String pool,
            @Nullable String block,
            String title,
            String evidence,
            @Nullable Instant since,
            boolean needsDecision) {

        static Found of(Finding finding) {
            return new Found(
                    finding.rule(),
                    finding.tone(),
                    finding.kind(),
                    finding.name(),
                    finding.node(),
                    finding.pool(),
                    finding.block(),
                    finding.title(),
                    finding.evidence(),
                    finding.since(),
                    finding.decision());
        }
    }

    record Collection(
            String name,
            String uid,
            String phase,
            boolean dryRun,
            @Nullable String plan,
            @Nullable String appliedBy,
            List<String> nodes,
            List<String> pools,
            List<String> blocks,
            @Nullable String reason,
            @Nullable String askedBy,
            Instant created,
            @Nullable Instant started,
            @Nullable Instant finished,
            @Nullable String message,
            long found,
            long done,
            long kept,
            long failed,
            List<String> expected,
            List<String> unanswered) {

        static Collection of(RunView run) {
            return new Collection(
                    run.name(),
                    run.uid(),
                    run.phase().name().toLowerCase(Locale.ROOT),
                    run.dryRun(),
                    run.plan(),
                    run.appliedBy(),
                    run.nodes(),
                    run.pools(),
                    run.blocks(),
                    run.reason(),
                    run.askedBy(),
                    run.created(),
                    run.started(),
                    run.finished(),
                    run.message(),
                    run.found(),
                    run.done(),
                    run.kept(),
                    run.failed(),
                    run.expected(),
                    run.unanswered());
        }
    }

    record CollectionInFull(Collection collection, List<RunItem> items, long rest) {
        static CollectionInFull of(RunView run) {
            return new CollectionInFull(Collection.of(run), run.items(), run.rest());
        }
    }

    record Holder(String namespace, String name, @Nullable String node, @Nullable Instant since) {
        static Holder of(Observed.Pod pod) {
            return new Holder(pod.namespace(), pod.name(), pod.node(), pod.started());
        }
    }

    /** What is known of an address; {@code pool} null: no pool contains it. */
    record AddressInFull(
            String address,
            @Nullable String pool,
            @Nullable String block,
            @Nullable String node,
            boolean inUse,
            @Nullable Holder pod) {}
}
