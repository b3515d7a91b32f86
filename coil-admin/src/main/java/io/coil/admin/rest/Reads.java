package io.coil.admin.rest;

import io.coil.admin.problem.Problem;
import io.coil.admin.snapshot.AddressLookup;
import io.coil.admin.snapshot.AgentState;
import io.coil.admin.snapshot.BlockState;
import io.coil.admin.snapshot.BlockView;
import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.NodeView;
import io.coil.admin.snapshot.PoolView;
import io.coil.admin.snapshot.RequestView;
import io.coil.admin.snapshot.RunView;
import io.coil.core.net.Address;
import io.coil.core.net.InvalidAddressException;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * What there is. Each answer comes from one image and says how old it is. {@link Shaping} does what
 * all answers have in common.
 */
@RestController
@RequestMapping(path = "/api/v1")
@Tag(name = "Reading")
class Reads {
    private static final String CSV = "text/csv";
    private static final String JSON = "application/json";

    @Operation(summary = "Nodes, and the blocks of each pool that they hold")
    @GetMapping(
            path = "/nodes",
            produces = {JSON, CSV})
    Page<Json.Node> nodes(
            Current now,
            Part part,
            @Parameter(description = "only nodes that hold blocks of this pool")
                    @RequestParam(required = false)
                    @Nullable String pool,
            @Parameter(description = "only nodes whose agent is in this state, as in agent.state")
                    @RequestParam(required = false)
                    @Nullable String state) {
        AgentState wanted = State.of(state, AgentState.values(), AgentState::word);
        List<Json.Node> all =
                now.snapshot().nodes().values().stream()
                        .filter(n -> pool == null || n.pools().containsKey(pool))
                        .filter(n -> wanted == null || n.agent() == wanted)
                        .map(Json.Node::of)
                        .toList();
        return part.of(now, Json.Node.class, all, "name", "name");
    }

    @Operation(summary = "A node with its blocks and its part in collections")
    @GetMapping(path = "/nodes/{name}", produces = JSON)
    Aged<Json.NodeInFull> node(Current now, @PathVariable String name) {
        NodeView node = now.snapshot().node(name).orElseThrow(missing("node", name));
        return Aged.of(now, Json.NodeInFull.of(node));
    }

    @Operation(summary = "Pools: blocks granted and addresses in use")
    @GetMapping(
            path = "/pools",
            produces = {JSON, CSV})
    Page<Json.Pool> pools(
            Current now,
            Part part,
            @Parameter(description = "only pools in this state") @RequestParam(required = false)
                    @Nullable String state) {
        PoolView.State wanted = State.of(state, PoolView.State.values(), PoolView.State::word);
        List<Json.Pool> all =
                now.snapshot().pools().values().stream()
                        .filter(p -> wanted == null || p.state() == wanted)
                        .map(Json.Pool::of)
                        .toList();
        return part.of(now, Json.Pool.class, all, "name", "name");
    }

    @Operation(summary = "A pool, and which nodes hold its blocks")
    @GetMapping(path = "/pools/{name}", produces = JSON)
    Aged<Json.PoolInFull> pool(Current now, @PathVariable String name) {
        PoolView pool = now.snapshot().pool(name).orElseThrow(missing("pool", name));
        return Aged.of(now, Json.PoolInFull.of(pool, now.snapshot().nodes()));
    }

    @Operation(summary = "Blocks, of all pools and nodes or of one")
    @GetMapping(
            path = "/blocks",
            produces = {JSON, CSV})
    Page<Json.Block> blocks(
            Current now,
            Part part,
            @Parameter(description = "only blocks of this pool") @RequestParam(required = false)
                    @Nullable String pool,
            @Parameter(description = "only blocks that this node holds")
                    @RequestParam(required = false)
                    @Nullable String node,
            @Parameter(description = "only blocks in this state") @RequestParam(required = false)
                    @Nullable String state,
            @Parameter(description = "true: only blocks that look like a leak; false: only others")
                    @RequestParam(required = false)
                    @Nullable Boolean candidate) {
        BlockState wanted = State.of(state, BlockState.values(), BlockState::label);
        List<Json.Block> all =
                now.snapshot().blocks().values().stream()
                        .filter(b -> pool == null || b.pool().equals(pool))
                        .filter(b -> node == null || node.equals(b.node()))
                        .filter(b -> wanted == null || b.state() == wanted)
                        .filter(b -> candidate == null || b.state().candidate() == candidate)
                        .map(Json.Block::of)
                        .toList();
        return part.of(now, Json.Block.class, all, "pool,index", "name");
    }

    @Operation(summary = "A block")
    @GetMapping(path = "/blocks/{name}", produces = JSON)
    Aged<Json.Block> block(Current now, @PathVariable String name) {
        BlockView block = now.snapshot().block(name).orElseThrow(missing("block", name));
        return Aged.of(now, Json.Block.of(block));
    }

    @Operation(summary = "Requests of nodes for blocks")
    @GetMapping(
            path = "/requests",
            produces = {JSON, CSV})
    Page<Json.Request> requests(
            Current now,
            Part part,
            @Parameter(description = "only requests for a block of this pool")
                    @RequestParam(required = false)
                    @Nullable String pool,
            @Parameter(description = "only requests of this node") @RequestParam(required = false)
                    @Nullable String node,
            @Parameter(description = "only requests in this state") @RequestParam(required = false)
                    @Nullable String state) {
        RequestView.State wanted =
                State.of(state, RequestView.State.values(), RequestView.State::word);
        List<Json.Request> all =
                now.snapshot().requests().stream()
                        .filter(r -> pool == null || r.pool().equals(pool))
                        .filter(r -> node == null || r.node().equals(node))
                        .filter(r -> wanted == null || r.state() == wanted)
                        .map(Json.Request::of)
                        .toList();
        return part.of(now, Json.Request.class, all, "name", "name");
    }

    @Operation(summary = "What checks found; those that need a decision first")
    @GetMapping(
            path = "/findings",
            produces = {JSON, CSV})
    Page<Json.Found> findings(
            Current now,
            Part part,
            @Parameter(description = "only what concerns this pool") @RequestParam(required = false)
                    @Nullable String pool,
            @Parameter(description = "only what concerns this node") @RequestParam(required = false)
                    @Nullable String node,
            @Parameter(description = "only what this rule found, e.g. surplus-block")
                    @RequestParam(required = false)
                    @Nullable String rule) {
        List<Json.Found> all =
                now.snapshot().findings().stream()
                        .filter(f -> pool == null || pool.equals(f.pool()))
                        .filter(f -> node == null || node.equals(f.node()))
                        .filter(f -> rule == null || rule.equals(f.rule()))
                        .map(Json.Found::of)
                        .toList();
        return part.of(
                now,
                Json.Found.class,
                all,
                "-needsDecision,-severity",
                "rule,name,kind,node,block,title");
    }

    @Operation(summary = "Collections that somebody asked for, newest first")
    @GetMapping(
            path = "/collections",
            produces = {JSON, CSV})
    Page<Json.Collection> collections(
            Current now,
            Part part,
            @Parameter(description = "only collections in this phase")
                    @RequestParam(required = false)
                    @Nullable String state) {
        RunView.Phase wanted =
                State.of(state, RunView.Phase.values(), p -> p.name().toLowerCase(Locale.ROOT));
        List<Json.Collection> all =
                now.snapshot().runs().values().stream()
                        .filter(r -> wanted == null || r.phase() == wanted)
                        .map(Json.Collection::of)
                        .toList();
        return part.of(now, Json.Collection.class, all, "-created", "name");
    }

    @Operation(summary = "A collection: what it found and did, item by item")
    @GetMapping(path = "/collections/{name}", produces = JSON)
    Aged<Json.CollectionInFull> collection(Current now, @PathVariable String name) {
        RunView run = now.snapshot().run(name).orElseThrow(missing("collection", name));
        return Aged.of(now, Json.CollectionInFull.of(run));
    }

    @Operation(summary = "Who has an address")
    @GetMapping(path = "/addresses/{address}", produces = JSON)
    Aged<Json.AddressInFull> address(Current now, @PathVariable("address") String text) {
        AddressLookup found;
        try {
            found = AddressLookup.of(Address.parse(text), now.snapshot());
        } catch (InvalidAddressException e) {
            throw Problem.of(HttpStatus.BAD_REQUEST, "That is no address", e.getMessage() + ".")
                    .thrown();
        }
        return Aged.of(
                now,
                new Json.AddressInFull(
                        found.address().toString(),
                        found.pool() == null ? null : found.pool().name(),
                        found.block() == null ? null : found.block().name(),
                        found.node(),
                        found.inUse(),
                        found.pod() == null ? null : Json.Holder.of(found.pod())));
    }

    private static Supplier<RuntimeException> missing(String kind, String name) {
        return () -> Problem.notFound(kind, name).thrown();
    }
}
