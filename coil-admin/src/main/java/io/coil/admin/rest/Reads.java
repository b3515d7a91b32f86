package io.coil.admin.rest;

import io.coil.admin.problem.Problem;
import io.coil.admin.snapshot.AddressLookup;
import io.coil.admin.snapshot.BlockView;
import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.Finding;
import io.coil.admin.snapshot.NodeView;
import io.coil.admin.snapshot.PoolView;
import io.coil.admin.snapshot.RequestView;
import io.coil.admin.snapshot.RunView;
import io.coil.core.net.Address;
import io.coil.core.net.InvalidAddressException;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import java.util.List;
import java.util.function.Supplier;

/** What there is. Each answer comes from one image and says how old it is. */
@RestController
@RequestMapping(path = "/api/v1", produces = "application/json")
@Tag(name = "Reading")
class Reads {

    @Operation(summary = "Nodes, and the blocks of each pool that they hold")
    @GetMapping("/nodes")
    Page<Json.Node> nodes(
            Current now,
            @RequestParam(required = false) @Nullable Integer limit,
            @RequestParam(name = "continue", required = false) @Nullable String after) {
        List<NodeView> all = List.copyOf(now.snapshot().nodes().values());
        return Page.of(now, all, NodeView::name, Json.Node::of, limit, after);
    }

    @Operation(summary = "A node with its blocks and its part in collections")
    @GetMapping("/nodes/{name}")
    Json.NodeInFull node(Current now, @PathVariable String name) {
        return Json.NodeInFull.of(now.snapshot().node(name).orElseThrow(missing("node", name)));
    }

    @Operation(summary = "Pools: blocks granted and addresses in use")
    @GetMapping("/pools")
    Page<Json.Pool> pools(
            Current now,
            @RequestParam(required = false) @Nullable Integer limit,
            @RequestParam(name = "continue", required = false) @Nullable String after) {
        List<PoolView> all = List.copyOf(now.snapshot().pools().values());
        return Page.of(now, all, PoolView::name, Json.Pool::of, limit, after);
    }

    @Operation(summary = "A pool, and which nodes hold its blocks")
    @GetMapping("/pools/{name}")
    Json.PoolInFull pool(Current now, @PathVariable String name) {
        return Json.PoolInFull.of(
                now.snapshot().pool(name).orElseThrow(missing("pool", name)),
                now.snapshot().nodes());
    }

    @Operation(summary = "Blocks, of all pools and nodes or of one")
    @GetMapping("/blocks")
    Page<Json.Block> blocks(
            Current now,
            @RequestParam(required = false) @Nullable String pool,
            @RequestParam(required = false) @Nullable String node,
            @RequestParam(required = false) @Nullable Integer limit,
            @RequestParam(name = "continue", required = false) @Nullable String after) {
        List<BlockView> all =
                now.snapshot().blocks().values().stream()
                        .filter(b -> pool == null || b.pool().equals(pool))
                        .filter(b -> node == null || node.equals(b.node()))
                        .toList();
        return Page.of(now, all, BlockView::name, Json.Block::of, limit, after);
    }

    @Operation(summary = "A block")
    @GetMapping("/blocks/{name}")
    Json.Block block(Current now, @PathVariable String name) {
        return Json.Block.of(now.snapshot().block(name).orElseThrow(missing("block", name)));
    }

    @Operation(summary = "Requests of nodes for blocks")
    @GetMapping("/requests")
    Page<Json.Request> requests(
            Current now,
            @RequestParam(required = false) @Nullable Integer limit,
            @RequestParam(name = "continue", required = false) @Nullable String after) {
        return Page.of(
                now, now.snapshot().requests(), RequestView::name, Json.Request::of, limit, after);
    }

    @Operation(summary = "What checks found; those that need a decision first")
    @GetMapping("/findings")
    Page<Json.Found> findings(
            Current now, @RequestParam(required = false) @Nullable Integer limit) {
        return Page.of(now, now.snapshot().findings(), Finding::name, Json.Found::of, limit, null);
    }

    @Operation(summary = "Collections that somebody asked for, newest first")
    @GetMapping("/collections")
    Page<Json.Collection> collections(
            Current now,
            @RequestParam(required = false) @Nullable Integer limit,
            @RequestParam(name = "continue", required = false) @Nullable String after) {
        List<RunView> all = List.copyOf(now.snapshot().runs().values());
        return Page.of(now, all, RunView::name, Json.Collection::of, limit, after);
    }

    @Operation(summary = "A collection: what it found and did, item by item")
    @GetMapping("/collections/{name}")
    Json.CollectionInFull collection(Current now, @PathVariable String name) {
        return Json.CollectionInFull.of(
                now.snapshot().run(name).orElseThrow(missing("collection", name)));
    }

    @Operation(summary = "Who has an address")
    @GetMapping("/addresses/{address}")
    Json.AddressInFull address(Current now, @PathVariable("address") String text) {
        AddressLookup found;
        try {
            found = AddressLookup.of(Address.parse(text), now.snapshot());
        } catch (InvalidAddressException e) {
            throw Problem.of(HttpStatus.BAD_REQUEST, "That is no address", e.getMessage() + ".")
                    .thrown();
        }
        return new Json.AddressInFull(
                found.address().toString(),
                found.pool() == null ? null : found.pool().name(),
                found.block() == null ? null : found.block().name(),
                found.node(),
                found.inUse(),
                found.pod() == null ? null : Json.Holder.of(found.pod()));
    }

    private static Supplier<RuntimeException> missing(String kind, String name) {
        return () -> Problem.notFound(kind, name).thrown();
    }
}
